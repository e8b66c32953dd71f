import { useTranslation } from 'react-i18next'
import { reasonOf } from '@/api/reason'
import type { Product } from '@/features/market/api/products'
import { formatLots } from '@/format/lots'
import { formatPrice } from '@/format/price'
import { ConfirmDialog } from '@/ui/confirm-dialog'
import { Num } from '@/ui/num'
import { toast } from '@/ui/toast/toast-store'
import { useCancelAllOrders } from '../../api/pending-order-writes'
import type { PendingOrder } from '../../api/pending-orders'

export type CancelAllDialogProps = {
  open: boolean
  orders: readonly PendingOrder[]
  /** The product of these orders; all products if undefined. */
  productId: number | undefined
  productOf: (productId: number) => Product | undefined
  onClose: () => void
}

/** Lists the orders to cancel, and cancels them after confirmation. */
export function CancelAllDialog(props: CancelAllDialogProps) {
  const { open, orders, productId, productOf, onClose } = props
  const { t } = useTranslation()
  const write = useCancelAllOrders()
  const confirm = () =>
    write.mutate(productId === undefined ? {} : { productId }, {
      onSuccess: ({ orderIds }) => {
        toast.success(t('waiting.cancelled_all', { count: orderIds.length }))
        onClose()
      },
      onError: (error) => toast.error(reasonOf(error).reason),
    })
  return (
    <ConfirmDialog
      open={open}
      title={t('waiting.cancel_all_title', { count: orders.length })}
      lines={orders.map((order) => {
        const product = productOf(order.productId)
        return {
          label: (
            <>
              {product?.productNo} · {t(`trade.waiting.${order.side}_${order.type}`)}{' '}
              <Num>{formatLots(product, order.lots)}</Num>
            </>
          ),
          value: <Num>{formatPrice(order.price, product?.point ?? 2)}</Num>,
        }
      })}
      safeLabel={t('waiting.keep')}
      confirmLabel={t('waiting.cancel_all')}
      danger
      busy={write.isPending}
      onConfirm={confirm}
      onClose={onClose}
    />
  )
}
