import { useTranslation } from 'react-i18next'
import type { Product } from '@/features/market/api/products'
import { formatFixed, formatPercent } from '@/format/amount'
import { toScaled } from '@/format/arithmetic'
import { bidiIsolate } from '@/format/bidi-isolate'
import { completeNumeric } from '@/format/numeric-input'
import { quoteStore } from '@/live/quote-store'
import { type Deal, exposureAfter, marginLevelOf } from '../../model/order-effect'
import { orderRequirement } from '../../model/order-requirement'
import { useOrderContext } from '../../model/use-order-context'
import styles from './order-ticket.module.css'

export type TicketCostsProps = {
  product: Product
  /** Orders of which one will be filled; the highest requirement is shown. */
  deals: readonly Deal[]
}

const read = (productId: number) => quoteStore.get(productId)

/** Margin and margin level in one line above the button, for screens too low to show the whole summary. */
export function TicketCosts({ product, deals }: TicketCostsProps) {
  const { t } = useTranslation()
  const ground = useOrderContext(product)
  const [worst] = deals
    .map((deal) => ({ ...deal, lots: completeNumeric(deal.lots) }))
    .map((deal) => ({ deal, margin: orderRequirement(product, ground, deal, read)?.margin ?? '' }))
    .toSorted((a, b) => Number((toScaled(b.margin, 6) ?? 0n) - (toScaled(a.margin, 6) ?? 0n)))
  if (!worst || (toScaled(worst.margin, 6) ?? 0n) <= 0n) return null
  const after = exposureAfter(product, ground.now, worst.deal, ground.held, read)
  const level = after && marginLevelOf(product, after, read)
  if (!level || (toScaled(level, 2) ?? 0n) <= 0n) return null
  return (
    // The summary says the same.
    <p className={styles.costs} aria-hidden>
      {t('margin.line', {
        margin: bidiIsolate(formatFixed(worst.margin, 2)),
        level: bidiIsolate(formatPercent(level, 0)),
      })}
    </p>
  )
}
