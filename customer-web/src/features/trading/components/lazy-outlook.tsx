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

/** How the account would stand after an order: further lines of the ticket's list. */
export function TicketOutlook(props: TicketOutlookProps) {
  return (
    <Suspense>
      <LazyOutlook {...props} />
    </Suspense>
  )
}

/** What an order takes and costs: the first lines of the ticket's list. */
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

/** Shares of the largest volume that is possible. */
export function VolumeShares(props: VolumeSharesProps) {
  return (
    <Suspense fallback={<ShareChips {...props} most="0" />}>
      <LazyShares {...props} />
    </Suspense>
  )
}

/** The ticket's button, and why it can't be pressed. */
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

/** The ticket of a product whose positions may only be closed. */
export function CloseOnlyTicket(props: { product: Product }) {
  return (
    <Suspense fallback={<SkeletonRows rows={4} />}>
      <LazyCloseOnly {...props} />
    </Suspense>
  )
}
