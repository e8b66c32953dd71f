import { useTranslation } from 'react-i18next'
import type { Product } from '@/features/market/api/products'
import { formatAmount } from '@/format/amount'
import { formatPrice } from '@/format/price'
import { useQuote } from '@/live/use-quote'
import { Button } from '@/ui/button'
import { cx } from '@/ui/cx'
import { Num } from '@/ui/num'
import { Tag } from '@/ui/tag'
import { TimeText } from '@/ui/time-text'
import type { PendingOrder } from '../../api/pending-orders'
import { useCancel } from '../../model/use-cancel-order'
import styles from '../history/wide-table.module.css'
import { DistanceText } from '../ticket/distance-text'
import { ExpiryText } from './expiry-text'

export type PendingOrderTableRowProps = {
  order: PendingOrder
  /** The other order of its OCO pair. */
  ocoPartner: PendingOrder | undefined
  product: Product | undefined
  onEdit: () => void
}

/** A pending order in the desktop's table. */
export function PendingOrderTableRow({
  order,
  ocoPartner,
  product,
  onEdit,
}: PendingOrderTableRowProps) {
  const { t } = useTranslation()
  const quote = useQuote(order.productId)
  const { cancel, busy } = useCancel(order)
  if (!product) return null
  const { side, type } = order
  const price = (value: string | undefined) => <Num>{formatPrice(value, product.point)}</Num>
  const watched = order.status === 'working' ? (order.limitPrice ?? order.price) : order.price
  return (
    <tr className={cx(ocoPartner && styles.paired)}>
      <th scope="row">
        <span className={styles.what}>
          <b>{product.productNo}</b>
          <Tag tone={side === 'buy' ? 'up' : 'down'}>{t(`trade.waiting.${side}_${type}`)}</Tag>
          <Num className={styles.quiet}>1:{order.leverage}</Num>
          {ocoPartner && (
            <Tag tone="accent">
              {t('trade.oco')}
              <span className="visually-hidden">
                {t('waiting.oco.with', {
                  name: t(`trade.waiting.${ocoPartner.side}_${ocoPartner.type}`),
                  price: formatPrice(ocoPartner.price, product.point),
                })}
              </span>
            </Tag>
          )}
        </span>
      </th>
      <td>
        <Num>{formatAmount(order.lots)}</Num>
      </td>
      <td>{price(order.price)}</td>
      <td>{price(order.limitPrice)}</td>
      <td>
        <DistanceText product={product} side={side} price={watched} quote={quote} />
      </td>
      <td>{price(order.stopLoss)}</td>
      <td>{price(order.takeProfit)}</td>
      <td className={styles.quiet}>
        <ExpiryText order={order} />
      </td>
      <td className={styles.quiet}>
        <TimeText at={order.createdAt} />
      </td>
      <td className={styles.pinned}>
        <span className={styles.actions}>
          <Button size="small" variant="quiet" onClick={onEdit}>
            {t('waiting.edit')}
          </Button>
          <Button size="small" variant="quiet" busy={busy} onClick={cancel}>
            {t(ocoPartner ? 'waiting.oco.cancel' : 'waiting.cancel')}
          </Button>
        </span>
      </td>
    </tr>
  )
}
