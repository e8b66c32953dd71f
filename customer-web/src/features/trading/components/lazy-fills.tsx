import { lazy, Suspense } from 'react'
import { withTexts } from '@/i18n/i18n'
import { SkeletonRows } from '@/ui/skeleton-rows'
import type { LastFillsProps } from './last-fills'

const LazyFills = lazy(async () => ({
  default: (await withTexts(() => import('./last-fills'), 'waiting')).LastFills,
}))

/** The last fills; loaded when their tab is opened. */
export function LastFills(props: LastFillsProps) {
  return (
    <Suspense fallback={<SkeletonRows rows={4} />}>
      <LazyFills {...props} />
    </Suspense>
  )
}
