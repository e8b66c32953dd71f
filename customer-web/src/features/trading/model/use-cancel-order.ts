import { useTranslation } from 'react-i18next'
import { reasonOf } from '@/api/reason'
import { useProducts } from '@/features/market/api/products'
import { toast } from '@/ui/toast/toast-store'
import { useCancelOrder } from '../api/pending-order-writes'
import type { PendingOrder } from '../api/pending-orders'

/** Cancels an order and its OCO partner, then shows a toast. */
export function useCancel(order: PendingOrder): { cancel: () => void; busy: boolean } {
  const { t } = useTranslation()
  const { data: products } = useProducts()
  const write = useCancelOrder()
  const cancel = () =>
    write.mutate(
      { orderId: order.orderId },
      {
        onSuccess: () =>
          toast.success(
            t(order.ocoId === undefined ? 'waiting.cancelled' : 'waiting.oco.cancelled', {
              name: t(`trade.waiting.${order.side}_${order.type}`),
              symbol:
                products?.find(({ productId }) => productId === order.productId)?.productNo ?? '',
            }),
          ),
        onError: (error) => toast.error(reasonOf(error).reason),
      },
    )
  return { cancel, busy: write.isPending }
}
