import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { reasonOf } from '@/api/reason'
import type { Product } from '@/features/market/api/products'
import { useTables } from '@/theme/use-media'
import { Button } from '@/ui/button'
import { EmptyState } from '@/ui/empty-state'
import { ErrorBlock } from '@/ui/error-block'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { usePendingOrdersQuery } from '../../api/pending-orders'
import { ocoPartnerOf } from '../../model/oco'
import { EditOrderSheet } from '../positions/position-forms'
import { CancelAllDialog } from './cancel-all-dialog'
import { PendingOrderCard } from './pending-order-card'
import styles from './pending-order-list.module.css'
import { PendingOrderTable } from './pending-order-table'

export type PendingOrderListProps = {
  products: readonly Product[]
  /** Limits the list to one product. */
  productId?: number | undefined
  /** The product on the chart, whose orders are marked. */
  chosen?: number
  /** Brings an order's product to the chart. */
  onPick?: (productId: number) => void
}

/** The pending orders with their actions. */
export function PendingOrderList({ products, productId, chosen, onPick }: PendingOrderListProps) {
  const { t } = useTranslation()
  const tables = useTables()
  const { data: all, error, refetch } = usePendingOrdersQuery()
  const [editing, setEditing] = useState<number | null>(null)
  const [ending, setEnding] = useState(false)
  const productOf = useCallback(
    (id: number) => products.find(({ productId }) => productId === id),
    [products],
  )
  if (error && !all) return <ErrorBlock {...reasonOf(error)} onRetry={() => void refetch()} />
  if (!all) return <SkeletonRows rows={4} />
  const orders = productId === undefined ? all : all.filter((one) => one.productId === productId)
  const edited = orders.find(({ orderId }) => orderId === editing)
  const product = edited && productOf(edited.productId)
  return (
    <>
      {orders.length === 0 && <EmptyState icon="clock" text={t('waiting.empty')} />}
      {orders.length > 0 && tables && (
        <PendingOrderTable
          orders={orders}
          productOf={productOf}
          onEdit={setEditing}
          chosen={chosen}
          onPick={onPick}
        />
      )}
      {orders.length > 0 && !tables && (
        <ul className={styles.cards} aria-label={t('waiting.list')}>
          {orders.map((order) => (
            <li key={order.orderId}>
              <PendingOrderCard
                order={order}
                ocoPartner={ocoPartnerOf(order, orders)}
                product={productOf(order.productId)}
                onEdit={() => setEditing(order.orderId)}
              />
            </li>
          ))}
        </ul>
      )}
      {orders.length > 0 && (
        <p className={styles.all}>
          <Button size={tables ? 'small' : 'medium'} onClick={() => setEnding(true)}>
            {t('waiting.cancel_all')}
          </Button>
        </p>
      )}
      {edited && product && (
        <EditOrderSheet order={edited} product={product} onClose={() => setEditing(null)} />
      )}
      <CancelAllDialog
        open={ending}
        orders={orders}
        productId={productId}
        productOf={productOf}
        onClose={() => setEnding(false)}
      />
    </>
  )
}
