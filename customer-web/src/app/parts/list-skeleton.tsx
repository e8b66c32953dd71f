import { useDesktop } from '@/theme/use-media'
import { SkeletonRows } from '@/ui/skeleton-rows'

export type ListSkeletonProps = { rows?: number; phoneRowHeight?: number }

/** Replaces a price list while it loads, with rows of the final height. */
export function ListSkeleton({ rows = 6, phoneRowHeight = 56 }: ListSkeletonProps) {
  const desktop = useDesktop()
  return <SkeletonRows rows={rows} rowHeight={desktop ? 32 : phoneRowHeight} />
}
