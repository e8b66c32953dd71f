import { useTranslation } from 'react-i18next'
import type { Product } from '@/features/market/api/products'
import { formatAmount } from '@/format/amount'
import { formatPrice } from '@/format/price'
import { Num } from '@/ui/num'
import { Tag } from '@/ui/tag'
import { TimeText } from '@/ui/time-text'
import type { PendingOrder } from '../../api/pending-orders'
import { EndReason } from './end-reason'
import styles from './wide-table.module.css'

export type EndedTableProps = {
  orders: readonly PendingOrder[]
  productOf: (productId: number) => Product | undefined
}

/** Orders that ended without a fill, on a desktop. */
export function EndedTable({ orders, productOf }: EndedTableProps) {
  const { t } = useTranslation()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
    <section className={styles.scroll} aria-label={t('history.tab.orders')} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t('figure.product')}</th>
            <th scope="col">{t('trade.volume')}</th>
            <th scope="col">{t('trade.price')}</th>
            <th scope="col">{t('waiting.limit_price')}</th>
            <th scope="col" className={styles.start}>
              {t('history.reason')}
            </th>
            <th scope="col">{t('waiting.placed_at')}</th>
            <th scope="col">{t('history.ended_at')}</th>
            <th scope="col">{t('history.order_number')}</th>
          </tr>
        </thead>
        <tbody>
          {orders.map((order) => {
            const product = productOf(order.productId)
            const price = (value: string | undefined) => (
              <Num>{product ? formatPrice(value, product.point) : formatAmount(value)}</Num>
            )
            return (
              <tr key={order.orderId}>
                <th scope="row">
                  <span className={styles.what}>
                    <b>{product?.productNo}</b>
                    <Tag tone={order.side === 'buy' ? 'up' : 'down'}>
                      {t(`trade.waiting.${order.side}_${order.type}`)}
                    </Tag>
                  </span>
                </th>
                <td>
                  <Num>{formatAmount(order.lots)}</Num>
                </td>
                <td>{price(order.price)}</td>
                <td>{price(order.limitPrice)}</td>
                <td className={styles.start}>
                  <EndReason order={order} />
                </td>
                <td className={styles.quiet}>
                  <TimeText at={order.createdAt} />
                </td>
                <td className={styles.quiet}>
                  {order.endedAt !== undefined && (
                    <TimeText at={order.endedAt} shape="dateTimeSeconds" />
                  )}
                </td>
                <td>
                  <Num>{order.orderId}</Num>
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </section>
  )
}
