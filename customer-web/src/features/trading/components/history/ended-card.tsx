import { useTranslation } from 'react-i18next'
import type { Product } from '@/features/market/api/products'
import { formatAmount } from '@/format/amount'
import { formatLots } from '@/format/lots'
import { formatPrice } from '@/format/price'
import { Num } from '@/ui/num'
import { Tag } from '@/ui/tag'
import { TimeText } from '@/ui/time-text'
import type { PendingOrder } from '../../api/pending-orders'
import { EndReason } from './end-reason'
import styles from './history.module.css'

export type EndedCardProps = { order: PendingOrder; product: Product | undefined }

/** An order that ended without a fill, on a phone. */
export function EndedCard({ order, product }: EndedCardProps) {
  const { t } = useTranslation()
  const { side, type, lots, endedAt } = order
  const price = (value: string) =>
    product ? formatPrice(value, product.point) : formatAmount(value)
  return (
    <article className={styles.card}>
      <span className={styles.line}>
        <b>{product?.productNo}</b>
        <Tag tone={side === 'buy' ? 'up' : 'down'}>
          {t(`trade.waiting.${side}_${type}`)} <Num>{formatLots(product, lots)}</Num>
        </Tag>
        <span className={styles.profit}>
          <Num>{price(order.price)}</Num>
        </span>
      </span>
      <span className={styles.reason}>
        <EndReason order={order} />
      </span>
      <span className={styles.second}>
        {endedAt !== undefined && <TimeText at={endedAt} />}
        <span>
          {t('history.order_number')} <Num>{order.orderId}</Num>
        </span>
      </span>
    </article>
  )
}
