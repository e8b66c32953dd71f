import { lazy, Suspense } from 'react'
import { withTexts } from '@/i18n/i18n'
import { SkeletonRows } from '@/ui/skeleton-rows'
import type { FillsTableProps } from './fills-table'

const LazyFills = lazy(async () => ({
  default: (await withTexts(() => import('./fills-table'), 'waiting')).FillsTable,
}))

/** The last fills; fetched when their tab is opened. */
export function FillsTable(props: FillsTableProps) {
  return (
    <Suspense fallback={<SkeletonRows rows={4} />}>
      <LazyFills {...props} />
    </Suspense>
  )
}
