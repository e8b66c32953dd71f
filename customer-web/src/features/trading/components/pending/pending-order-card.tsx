import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Product } from '@/features/market/api/products'
import { formatLots } from '@/format/lots'
import { formatPrice } from '@/format/price'
import { useQuote } from '@/live/use-quote'
import { Button } from '@/ui/button'
import { cx } from '@/ui/cx'
import { Num } from '@/ui/num'
import { Tag } from '@/ui/tag'
import { TimeText } from '@/ui/time-text'
import type { PendingOrder } from '../../api/pending-orders'
import { useCancel } from '../../model/use-cancel-order'
import { DistanceText } from '../ticket/distance-text'
import { ExpiryText } from './expiry-text'
import styles from './pending-order-list.module.css'

export type PendingOrderCardProps = {
  order: PendingOrder
  /** The other order of its OCO pair. */
  ocoPartner: PendingOrder | undefined
  product: Product | undefined
  onEdit: () => void
}

/** A pending order on a phone. */
export function PendingOrderCard({ order, ocoPartner, product, onEdit }: PendingOrderCardProps) {
  const { t } = useTranslation()
  const quote = useQuote(order.productId)
  const { cancel, busy } = useCancel(order)
  if (!product) return null
  const { side, type } = order
  const price = (value: string | undefined) => <Num>{formatPrice(value, product.point)}</Num>
  const watched = order.status === 'working' ? (order.limitPrice ?? order.price) : order.price
  const detail = (label: string, value: ReactNode) => (
    <div>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  )
  return (
    <article className={cx(styles.card, ocoPartner && styles.paired)}>
      <div className={styles.head}>
        <b>{product.productNo}</b>
        <Tag tone={side === 'buy' ? 'up' : 'down'}>
          {t(`trade.waiting.${side}_${type}`)} <Num>{formatLots(product, order.lots)}</Num>
        </Tag>
        <Num className={styles.leverage}>1:{order.leverage}</Num>
        {ocoPartner && <Tag tone="accent">{t('trade.oco')}</Tag>}
        <span className={styles.price}>{price(order.price)}</span>
      </div>
      <dl className={styles.details}>
        {ocoPartner &&
          detail(
            t('waiting.oco.ends_with'),
            <>
              {t(`trade.waiting.${ocoPartner.side}_${ocoPartner.type}`)} {price(ocoPartner.price)}
            </>,
          )}
        {order.limitPrice !== undefined &&
          detail(t('waiting.limit_price'), price(order.limitPrice))}
        {detail(
          t('waiting.distance'),
          <DistanceText product={product} side={side} price={watched} quote={quote} />,
        )}
        {detail(t('trade.stop_loss'), price(order.stopLoss))}
        {detail(t('trade.take_profit'), price(order.takeProfit))}
        {detail(t('waiting.expiry'), <ExpiryText order={order} />)}
        {detail(t('waiting.placed_at'), <TimeText at={order.createdAt} />)}
      </dl>
      <div className={styles.actions}>
        <Button onClick={onEdit}>{t('waiting.edit')}</Button>
        <Button busy={busy} onClick={cancel}>
          {t(ocoPartner ? 'waiting.oco.cancel' : 'waiting.cancel')}
        </Button>
      </div>
    </article>
  )
}
