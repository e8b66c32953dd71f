import { useTranslation } from 'react-i18next'
import { reasonOf } from '@/api/reason'
import type { Product } from '@/features/market/api/products'
import { useDesktop } from '@/theme/use-media'
import { Button } from '@/ui/button'
import { EmptyState } from '@/ui/empty-state'
import { ErrorBlock } from '@/ui/error-block'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { useEndedOrders } from '../api/ended-orders'
import { EndedCard } from './ended-card'
import { EndedTable } from './ended-table'
import styles from './history.module.css'

export type EndedOrdersProps = { productId: number | undefined; products: readonly Product[] }

/** The orders that ended without a fill, each with its reason, and more of them on a press. */
export function EndedOrders({ productId, products }: EndedOrdersProps) {
  const { t } = useTranslation()
  const desktop = useDesktop()
  const ended = useEndedOrders(productId)
  const { data, error, refetch, isFetching, hasNextPage } = ended
  if (!data) {
    if (!error) return <SkeletonRows rows={6} rowHeight={desktop ? 40 : 66} />
    return <ErrorBlock {...reasonOf(error)} onRetry={() => void refetch()} retrying={isFetching} />
  }
  const orders = data.pages.flatMap(({ list }) => list)
  if (orders.length === 0 && !hasNextPage)
    return <EmptyState icon="clock" text={t('history.ended.empty')} />
  const productOf = (id: number) => products.find((product) => product.productId === id)
  return (
    <>
      {desktop ? (
        <EndedTable orders={orders} productOf={productOf} />
      ) : (
        <ul className={styles.cards} aria-label={t('history.tab.orders')}>
          {orders.map((order) => (
            <li key={order.orderId}>
              <EndedCard order={order} product={productOf(order.productId)} />
            </li>
          ))}
        </ul>
      )}
      {error && <ErrorBlock {...reasonOf(error)} onRetry={() => void ended.fetchNextPage()} />}
      {hasNextPage && !error && (
        <div className={styles.more}>
          <Button block busy={ended.isFetchingNextPage} onClick={() => void ended.fetchNextPage()}>
            {t('history.more')}
          </Button>
        </div>
      )}
    </>
  )
}
