import { useTranslation } from 'react-i18next'
import type { Product } from '@/features/market/api/products'
import { formatFixed } from '@/format/amount'
import { completeNumeric } from '@/format/numeric-input'
import { readQuote } from '@/live/quote-store'
import { useQuote } from '@/live/use-quote'
import { Num } from '@/ui/num'
import { estimateMargin } from '../../model/estimate'
import { useTicket } from '../../model/ticket-store'
import styles from './order-ticket.module.css'

/** The margin of the volume at the ask; an order against an open position may need less. */
export function QuickMargin({ product }: { product: Product }) {
  const { t } = useTranslation()
  const { lots, leverage } = useTicket()
  const price = useQuote(product.productId)?.ask
  useQuote(product.marginConversion.productId || product.productId)
  const order = { lots: completeNumeric(lots), leverage, price: price ?? '' }
  const margin = estimateMargin(product, order, readQuote)
  if (margin === null) return null
  return (
    <span className={styles.caption}>
      {t('trade.margin')} <Num>{formatFixed(margin, 2)}</Num>
    </span>
  )
}
