import { useTranslation } from 'react-i18next'
import type { Product } from '@/features/market/api/products'
import { formatFixed } from '@/format/amount'
import { useAccount } from '@/live/account-store'
import type { LiveQuote } from '@/live/quote-store'
import { Num } from '@/ui/num'
import type { Side } from '../../model/ticket-store'
import { useOrderContext } from '../../model/use-order-context'
import { AtFillNote } from './at-fill-note'
import { DistanceText } from './distance-text'
import { OrderCosts } from './order-costs'
import { OrderEffectRow } from './order-effect-row'
import styles from './order-ticket.module.css'

export type PendingOrderSummaryProps = {
  product: Product
  order: { side: Side; lots: string; leverage: number }
  /** The trigger price, and the expected fill price. */
  price: string
  entry: string
  quote: LiveQuote | undefined
}

/** The distance of a pending order from the market, and its margin and costs when filled. */
export function PendingOrderSummary({
  product,
  order,
  price,
  entry,
  quote,
}: PendingOrderSummaryProps) {
  const { t } = useTranslation()
  const free = useAccount(({ statistics }) => statistics?.usablePrepaid)
  const { side, lots, leverage } = order
  const { held } = useOrderContext(product)
  const filled = { side, lots, leverage, price: entry }
  return (
    <>
      <dl className={styles.summary}>
        <div>
          <dt>{t('waiting.distance')}</dt>
          <dd>
            <DistanceText product={product} side={side} price={price} quote={quote} percent />
          </dd>
        </div>
        <OrderCosts product={product} deals={[filled]} label={t('waiting.margin')} />
        {free !== undefined && (
          <div>
            <dt>{t('trade.free_margin')}</dt>
            <dd>
              <Num>{formatFixed(free, 2)}</Num> <span className={styles.unit}>USDT</span>
            </dd>
          </div>
        )}
        <OrderEffectRow product={product} held={held} deal={order} label={t('margin.position')} />
      </dl>
      <AtFillNote />
    </>
  )
}
