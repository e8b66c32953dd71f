import { useTranslation } from 'react-i18next'
import type { Product } from '@/features/market/api/products'
import type { PendingOrder } from '../../api/pending-orders'
import { ocoPartnerOf } from '../../model/oco'
import styles from '../history/wide-table.module.css'
import { PendingOrderTableRow } from './pending-order-table-row'

export type PendingOrderTableProps = {
  orders: readonly PendingOrder[]
  productOf: (productId: number) => Product | undefined
  onEdit: (orderId: number) => void
}

/** The table of pending orders on a desktop. */
export function PendingOrderTable({ orders, productOf, onEdit }: PendingOrderTableProps) {
  const { t } = useTranslation()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
    <section className={styles.scroll} aria-label={t('waiting.list')} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t('figure.product')}</th>
            <th scope="col">{t('trade.volume')}</th>
            <th scope="col">{t('trade.price')}</th>
            <th scope="col">{t('waiting.limit_price')}</th>
            <th scope="col">{t('waiting.distance')}</th>
            <th scope="col">{t('trade.stop_loss')}</th>
            <th scope="col">{t('trade.take_profit')}</th>
            <th scope="col">{t('waiting.expiry')}</th>
            <th scope="col">{t('waiting.placed_at')}</th>
            <th scope="col" className={styles.pinned}>
              <span className="visually-hidden">{t('trade.actions')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {orders.map((order) => (
            <PendingOrderTableRow
              key={order.orderId}
              order={order}
              ocoPartner={ocoPartnerOf(order, orders)}
              product={productOf(order.productId)}
              onEdit={() => onEdit(order.orderId)}
            />
          ))}
        </tbody>
      </table>
    </section>
  )
}
