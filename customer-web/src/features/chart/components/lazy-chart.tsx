import { lazy, Suspense } from 'react'
import { Skeleton } from '@/ui/skeleton'
import type { PriceChartProps } from './price-chart'

const PriceChart = lazy(() => import('./price-chart'))

/** The chart, loaded when first shown; its library is not part of the first load. */
export function LazyChart(props: PriceChartProps) {
  return (
    <Suspense fallback={<Skeleton />}>
      <PriceChart {...props} />
    </Suspense>
  )
}
