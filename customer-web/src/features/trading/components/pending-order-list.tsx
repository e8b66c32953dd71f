import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { reasonOf } from '@/api/reason'
import type { Product } from '@/features/market/api/products'
import { useDesktop } from '@/theme/use-media'
import { Button } from '@/ui/button'
import { EmptyState } from '@/ui/empty-state'
import { ErrorBlock } from '@/ui/error-block'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { useWaiting } from '../api/waiting'
import { mateOf } from '../model/oco'
import { CancelAllDialog } from './cancel-all-dialog'
import { EditOrderSheet } from './edit-order-sheet'
import { WaitingCard } from './waiting-card'
import styles from './waiting-list.module.css'
import { WaitingTable } from './waiting-table'

export type WaitingListProps = {
  products: readonly Product[]
  /** Shows the orders of one product alone. */
  productId?: number
}

/** The orders that wait for their price, and what can be done with them. */
export function WaitingList({ products, productId }: WaitingListProps) {
  const { t } = useTranslation()
  const desktop = useDesktop()
  const { data: all, error, refetch } = useWaiting()
  const [editing, setEditing] = useState<number | null>(null)
  const [ending, setEnding] = useState(false)
  if (error && !all) return <ErrorBlock {...reasonOf(error)} onRetry={() => void refetch()} />
  if (!all) return <SkeletonRows rows={4} />
  const orders = productId === undefined ? all : all.filter((one) => one.productId === productId)
  const edited = orders.find(({ orderId }) => orderId === editing)
  const productOf = (id: number) => products.find(({ productId }) => productId === id)
  const product = edited && productOf(edited.productId)
  return (
    <>
      {orders.length === 0 && <EmptyState icon="clock" text={t('waiting.empty')} />}
      {orders.length > 0 && desktop && (
        <WaitingTable orders={orders} productOf={productOf} onEdit={setEditing} />
      )}
      {orders.length > 0 && !desktop && (
        <ul className={styles.cards} aria-label={t('waiting.list')}>
          {orders.map((order) => (
            <li key={order.orderId}>
              <WaitingCard
                order={order}
                mate={mateOf(order, orders)}
                product={productOf(order.productId)}
                onEdit={() => setEditing(order.orderId)}
              />
            </li>
          ))}
        </ul>
      )}
      {orders.length > 0 && (
        <p className={styles.all}>
          <Button size={desktop ? 'small' : 'medium'} onClick={() => setEnding(true)}>
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
