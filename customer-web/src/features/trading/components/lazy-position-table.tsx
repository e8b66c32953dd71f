import { lazy, Suspense } from 'react'
import { SkeletonRows } from '@/ui/skeleton-rows'
import type { PositionTableProps } from './position-table'

const LazyTable = lazy(async () => ({ default: (await import('./position-table')).PositionTable }))

/** The table of open positions; loaded once there are some. */
export function PositionTable(props: PositionTableProps) {
  return (
    <Suspense fallback={<SkeletonRows rows={4} />}>
      <LazyTable {...props} />
    </Suspense>
  )
}
