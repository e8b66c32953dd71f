import { useTranslation } from 'react-i18next'
import type { Product } from '@/features/market/api/products'
import { formatAmount, formatFixed } from '@/format/amount'
import { useAccount } from '@/live/account-store'
import { type LiveQuote, quoteStore } from '@/live/quote-store'
import { Num } from '@/ui/num'
import { estimateCommission, estimateMargin } from '../model/estimate'
import type { Side } from '../model/ticket-store'
import { DistanceText } from './distance-text'
import styles from './order-ticket.module.css'

export type WaitingSummaryProps = {
  product: Product
  order: { side: Side; lots: string; leverage: number }
  /** Where it triggers, and at what it is expected to be filled. */
  price: string
  entry: string
  quote: LiveQuote | undefined
}

const read = (productId: number) => quoteStore.get(productId)

/** How far the order is from the market, and what it would take when it is filled. */
export function WaitingSummary({ product, order, price, entry, quote }: WaitingSummaryProps) {
  const { t } = useTranslation()
  const free = useAccount(({ statistics }) => statistics?.usablePrepaid)
  const filled = { lots: order.lots, price: entry, leverage: order.leverage }
  const sum = (label: string, value: string | null) => (
    <div>
      <dt>{label}</dt>
      <dd>
        <Num>{value === null ? '–' : formatFixed(value, 2)}</Num>{' '}
        {value !== null && <span className={styles.unit}>USDT</span>}
      </dd>
    </div>
  )
  return (
    <dl className={styles.summary}>
      <div>
        <dt>{t('waiting.distance')}</dt>
        <dd>
          <DistanceText product={product} side={order.side} price={price} quote={quote} points />
        </dd>
      </div>
      {sum(t('waiting.margin'), entry ? estimateMargin(product, filled, read) : null)}
      {sum(t('trade.commission'), entry ? estimateCommission(product, filled, read) : null)}
      {free !== undefined && (
        <div>
          <dt>{t('trade.free_margin')}</dt>
          <dd>
            <Num>{formatAmount(free.replace(/(\.\d{2})\d+$/, '$1'))}</Num>{' '}
            <span className={styles.unit}>USDT</span>
          </dd>
        </div>
      )}
    </dl>
  )
}
