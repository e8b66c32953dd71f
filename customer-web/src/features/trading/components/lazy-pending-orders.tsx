import { lazy, Suspense } from 'react'
import { withTexts } from '@/i18n/i18n'
import { SkeletonRows } from '@/ui/skeleton-rows'
import type { EditOrderSheetProps } from './edit-order-sheet'
import type { OcoTicketProps } from './oco-ticket'
import type { PendingOrderListProps } from './pending-order-list'
import type { PendingOrderTicketProps } from './pending-order-ticket'

const load = () => withTexts(() => import('./pending-order-parts'), 'waiting')

const LazyTicket = lazy(async () => ({ default: (await load()).PendingOrderTicket }))
const LazyOco = lazy(async () => ({ default: (await load()).OcoTicket }))
const LazyEdit = lazy(async () => ({ default: (await load()).EditOrderSheet }))
const LazyList = lazy(async () => ({ default: (await load()).PendingOrderList }))

/** The ticket of an order that waits for its price; fetched when such a kind is chosen. */
export function PendingOrderTicket(props: PendingOrderTicketProps) {
  return (
    <Suspense fallback={<SkeletonRows rows={8} />}>
      <LazyTicket {...props} />
    </Suspense>
  )
}

/** The ticket of two orders of which one ends the other; fetched when it is chosen. */
export function OcoTicket(props: OcoTicketProps) {
  return (
    <Suspense fallback={<SkeletonRows rows={8} />}>
      <LazyOco {...props} />
    </Suspense>
  )
}

/** The orders that wait; fetched when their tab is opened. */
export function PendingOrderList(props: PendingOrderListProps) {
  return (
    <Suspense fallback={<SkeletonRows rows={4} />}>
      <LazyList {...props} />
    </Suspense>
  )
}

/** New terms for one order; fetched when its line in the chart is moved. */
export function EditOrderSheet(props: EditOrderSheetProps) {
  return (
    <Suspense>
      <LazyEdit {...props} />
    </Suspense>
  )
}
