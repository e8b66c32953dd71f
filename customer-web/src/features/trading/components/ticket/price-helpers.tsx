import { useTranslation } from 'react-i18next'
import type { Product } from '@/features/market/api/products'
import { MINUS } from '@/format/decimal'
import type { LiveQuote } from '@/live/quote-store'
import { Chip } from '@/ui/chip'
import { Num } from '@/ui/num'
import {
  isRefusedTrigger,
  middleOf,
  type PendingOrderShape,
  priceAway,
  triggersBelowMarket,
} from '../../model/pending-order'
import styles from './order-ticket.module.css'

export type PriceHelpersProps = {
  product: Product
  shape: PendingOrderShape
  quote: LiveQuote | undefined
  disabled: boolean
  /** The price triggers the order, so the market limits it. */
  trigger: boolean
  onPick: (price: string) => void
}

/**
 * Sets a price to the bid, the middle, the ask, or 0.1 % or 1 % away on the side where the order can be pending. A price that
 * would be refused can't be chosen.
 */
export function PriceHelpers({
  product,
  shape,
  quote,
  disabled,
  trigger,
  onPick,
}: PriceHelpersProps) {
  const { t } = useTranslation()
  if (!quote) return null
  const isRefused = (price: string) => trigger && isRefusedTrigger(product, shape, quote, price)
  const chip = (label: string, price: string) => (
    <Chip edge disabled={disabled || isRefused(price)} onClick={() => onPick(price)}>
      <Num>{label}</Num>
    </Chip>
  )
  const sign = triggersBelowMarket(shape) ? MINUS : '+'
  return (
    <div className={styles.helpers}>
      {chip(t('waiting.helper.bid'), quote.bid)}
      {chip(t('waiting.helper.middle'), middleOf(product, quote))}
      {chip(t('waiting.helper.ask'), quote.ask)}
      {chip(`${sign}0.1%`, priceAway(product, shape, quote, 1n))}
      {chip(`${sign}1%`, priceAway(product, shape, quote, 10n))}
    </div>
  )
}
