import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import type { Product } from '@/features/market/api/products'
import { withTexts } from '@/i18n/i18n'
import { SkeletonRows } from '@/ui/skeleton-rows'
import type { OrderCostsProps } from './order-costs'
import { ShareChips } from './share-chips'
import { SheetFoot } from './sheet-foot'
import type { TicketFootProps } from './ticket-foot'
import type { TicketOutlookProps } from './ticket-outlook'
import type { VolumeSharesProps } from './volume-shares'

const load = () => withTexts(() => import('./margin-parts'), 'waiting')

const LazyOutlook = lazy(async () => ({ default: (await load()).TicketOutlook }))
const LazyCosts = lazy(async () => ({ default: (await load()).OrderCosts }))
const LazyShares = lazy(async () => ({ default: (await load()).VolumeShares }))
const LazyFoot = lazy(async () => ({ default: (await load()).TicketFoot }))
const LazyCloseOnly = lazy(async () => ({ default: (await load()).CloseOnlyTicket }))

/** The account after an order, as further rows of the ticket. */
export function TicketOutlook(props: TicketOutlookProps) {
  return (
    <Suspense>
      <LazyOutlook {...props} />
    </Suspense>
  )
}

/** Margin and costs of an order, as the first rows of the ticket. */
export function OrderCosts(props: OrderCostsProps) {
  const { t } = useTranslation()
  const line = (label: string) => (
    <div>
      <dt>{label}</dt>
      <dd>–</dd>
    </div>
  )
  return (
    <Suspense
      fallback={
        <>
          {line(props.label)}
          {line(t('trade.commission'))}
        </>
      }
    >
      <LazyCosts {...props} />
    </Suspense>
  )
}

/** Shares of the maximum volume. */
export function VolumeShares(props: VolumeSharesProps) {
  return (
    <Suspense fallback={<ShareChips {...props} most="0" />}>
      <LazyShares {...props} />
    </Suspense>
  )
}

/** The ticket's button, and why it is disabled. */
export function TicketFoot(props: TicketFootProps) {
  return (
    <Suspense
      fallback={
        <SheetFoot place={props.place}>
          <SkeletonRows rows={1} />
        </SheetFoot>
      }
    >
      <LazyFoot {...props} />
    </Suspense>
  )
}

/** Shown instead of the ticket of a close-only product. */
export function CloseOnlyTicket(props: { product: Product }) {
  return (
    <Suspense fallback={<SkeletonRows rows={4} />}>
      <LazyCloseOnly {...props} />
    </Suspense>
  )
}
