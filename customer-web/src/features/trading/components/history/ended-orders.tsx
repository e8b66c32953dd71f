import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { ListFoot } from '@/features/list/components/list-foot'
import type { Product } from '@/features/market/api/products'
import { useTables } from '@/theme/use-media'
import { Button } from '@/ui/button'
import { EmptyState } from '@/ui/empty-state'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { useEndedOrders } from '../../api/ended-orders'
import type { OrderQuery } from '../../api/history'
import { EndedCard } from './ended-card'
import { EndedTable } from './ended-table'
import styles from './history.module.css'

export type EndedOrdersProps = {
  query: OrderQuery
  products: readonly Product[]
  onReset: () => void
}

/** Orders that ended without a fill, each with its reason, and a "show more" button. */
export function EndedOrders({ query, products, onReset }: EndedOrdersProps) {
  const { t } = useTranslation()
  const tables = useTables()
  const ended = useEndedOrders(query)
  const { data, error } = ended
  const productOf = useCallback(
    (id: number) => products.find((product) => product.productId === id),
    [products],
  )
  if (!data)
    return error ? (
      <ListFoot query={ended} />
    ) : (
      <SkeletonRows rows={6} rowHeight={tables ? 40 : 66} />
    )
  const orders = data.pages.flatMap(({ list }) => list)
  if (orders.length === 0 && !ended.hasNextPage) {
    return (
      <EmptyState
        icon="clock"
        text={t('history.ended.empty')}
        action={<Button onClick={onReset}>{t('history.empty_action')}</Button>}
      />
    )
  }
  return (
    <>
      {tables ? (
        <EndedTable orders={orders} productOf={productOf} />
      ) : (
        <ul className={styles.cards} aria-label={t('history.unfilled')}>
          {orders.map((order) => (
            <li key={order.orderId}>
              <EndedCard order={order} product={productOf(order.productId)} />
            </li>
          ))}
        </ul>
      )}
      <ListFoot query={ended} className={styles.more} />
    </>
  )
}
