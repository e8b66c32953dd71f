import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Product } from '@/features/market/api/products'
import { formatFixed, formatPercent } from '@/format/amount'
import { toScaled } from '@/format/arithmetic'
import { bidiIsolate } from '@/format/bidi-isolate'
import { completeNumeric } from '@/format/numeric-input'
import { readQuote } from '@/live/quote-store'
import { isVolume } from '../../model/lots'
import { type Deal, exposureAfter, marginLevelOf } from '../../model/order-effect'
import { orderRequirement } from '../../model/order-requirement'
import { useOrderContext } from '../../model/use-order-context'
import styles from './order-ticket.module.css'

export type TicketCostsProps = {
  product: Product
  /** Orders of which one will be filled; the highest requirement is shown. */
  deals: readonly Deal[]
  /** When a pending order expires. */
  expiry?: ReactNode
}

/** Margin, margin level and expiry in one line above the button, for screens too low to show the whole ticket. */
export function TicketCosts({ product, deals, expiry }: TicketCostsProps) {
  const costs = useCostsText(product, deals)
  if (!costs && !expiry) return null
  return (
    // The summary and the field of the expiry say the same.
    <p className={styles.costs} aria-hidden>
      {costs}
      {costs && expiry && ' · '}
      {expiry}
    </p>
  )
}

function useCostsText(product: Product, deals: readonly Deal[]): string | null {
  const { t } = useTranslation()
  const ground = useOrderContext(product)
  if (deals.some(({ lots }) => !isVolume(product, completeNumeric(lots)))) return null
  const [worst] = deals
    .map((deal) => ({ ...deal, lots: completeNumeric(deal.lots) }))
    .map((deal) => ({
      deal,
      margin: orderRequirement(product, ground, deal, readQuote)?.margin ?? '',
    }))
    .toSorted((a, b) => Number((toScaled(b.margin, 6) ?? 0n) - (toScaled(a.margin, 6) ?? 0n)))
  if (!worst || (toScaled(worst.margin, 6) ?? 0n) <= 0n) return null
  const after = exposureAfter(product, ground.now, worst.deal, ground.held, readQuote)
  const level = after && marginLevelOf(product, after, readQuote)
  if (!level || (toScaled(level, 2) ?? 0n) <= 0n) return null
  return t('margin.line', {
    margin: bidiIsolate(formatFixed(worst.margin, 2)),
    level: bidiIsolate(formatPercent(level, 0)),
  })
}
