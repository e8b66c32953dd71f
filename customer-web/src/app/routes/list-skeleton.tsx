import { useDesktop } from '@/theme/use-media'
import { SkeletonRows } from '@/ui/skeleton-rows'

export type ListSkeletonProps = { rows?: number; phoneRowHeight?: number }

/** In place of a list of prices that loads: rows as high as those to come. */
export function ListSkeleton({ rows = 6, phoneRowHeight = 56 }: ListSkeletonProps) {
  const desktop = useDesktop()
  return <SkeletonRows rows={rows} rowHeight={desktop ? 32 : phoneRowHeight} />
}
