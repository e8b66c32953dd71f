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

/** The pending order ticket; loaded when such a kind is chosen. */
export function PendingOrderTicket(props: PendingOrderTicketProps) {
  return (
    <Suspense fallback={<SkeletonRows rows={8} />}>
      <LazyTicket {...props} />
    </Suspense>
  )
}

/** The OCO ticket; loaded when it is chosen. */
export function OcoTicket(props: OcoTicketProps) {
  return (
    <Suspense fallback={<SkeletonRows rows={8} />}>
      <LazyOco {...props} />
    </Suspense>
  )
}

/** The pending orders; loaded when their tab is opened. */
export function PendingOrderList(props: PendingOrderListProps) {
  return (
    <Suspense fallback={<SkeletonRows rows={4} />}>
      <LazyList {...props} />
    </Suspense>
  )
}

/** The sheet that amends an order; loaded when its chart line is dragged. */
export function EditOrderSheet(props: EditOrderSheetProps) {
  return (
    <Suspense>
      <LazyEdit {...props} />
    </Suspense>
  )
}
