import type { QueryClient } from '@tanstack/react-query'
import i18next from 'i18next'
import { productsQuery } from '@/features/market/api/products'
import { openReceipt } from '@/features/receipt/model/open-receipt'
import { formatAmount } from '@/format/amount'
import { formatPrice } from '@/format/price'
import type { AccountEvent } from '@/live/live'
import { toast } from '@/ui/toast/toast-store'
import { refreshHistory } from '../api/orders'

/** Warns that the margin level has come down to 100 %. */
export function tellMarginCall(client: QueryClient): void {
  void refreshHistory(client)
  toast.error(i18next.t('margin.called'))
}

/** Says what became of a waiting order without the trader: filled, cancelled by the rules, expired. */
export async function tellOrderNews(
  client: QueryClient,
  { order, fill }: AccountEvent,
): Promise<void> {
  if (!order) return
  const products = await client.ensureQueryData(productsQuery)
  const product = products.find(({ productId }) => productId === order.productId)
  if (!product) return
  const { t } = i18next
  const name = t(`trade.waiting.${order.side}_${order.type}`)
  const symbol = product.productNo
  if (fill) {
    const what = {
      ...{ name, symbol, lots: formatAmount(fill.lots) },
      price: formatPrice(fill.price, product.point),
    }
    toast.success(t('waiting.filled', what), {
      action: { label: t('trade.proof'), onPress: () => openReceipt(fill.fillId) },
    })
  } else if (order.reason === 'expired') {
    toast.success(t('waiting.ended.expired', { name, symbol }))
  } else if (
    order.reason === 'no_margin' ||
    order.reason === 'too_many_positions' ||
    order.reason === 'close_only'
  ) {
    toast.error(t(`waiting.ended.${order.reason}`, { name, symbol }))
  }
}
