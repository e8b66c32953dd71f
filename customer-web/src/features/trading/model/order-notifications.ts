import type { QueryClient } from '@tanstack/react-query'
import i18next from 'i18next'
import type { Wire } from '@/api/client'
import { type Product, productsQuery } from '@/features/market/api/products'
import { openReceipt } from '@/features/receipt/model/open-receipt'
import { formatLots } from '@/format/lots'
import { formatPrice } from '@/format/price'
import type { AccountEvent } from '@/live/live'
import { toast } from '@/ui/toast/toast-store'
import { refreshHistory } from '../api/orders'
import { realisedText } from './realised'

/** Warns that the margin level has fallen to 100 %. */
export function notifyMarginCall(client: QueryClient): void {
  void refreshHistory(client)
  toast.error(i18next.t('margin.called'))
}

/**
 * Shows what happened without an action of the trader: a pending order filled, cancelled or expired, or a position
 * closed by a rule.
 */
export async function notifyOrderEvent(
  client: QueryClient,
  { order, fill }: AccountEvent,
): Promise<void> {
  const about = order ?? fill
  if (!about) return
  const products = await client.ensureQueryData(productsQuery)
  const product = products.find(({ productId }) => productId === about.productId)
  if (!product) return
  if (fill) notifyFill(product, fill, order)
  else if (order) notifyEnded(product, order)
}

function notifyFill(product: Product, fill: Wire['Fill'], order: Wire['Order'] | undefined): void {
  const { t } = i18next
  const what = {
    ...{ symbol: product.productNo, lots: formatLots(product, fill.lots) },
    price: formatPrice(fill.price, product.point),
  }
  const closed = { ...what, profit: realisedText([fill]) }
  const proof = { action: { label: t('trade.proof'), onPress: () => openReceipt(fill.fillId) } }
  if (order) {
    const name = t(`trade.waiting.${order.side}_${order.type}`)
    toast.success(t('waiting.filled', { ...what, name }), proof)
    return
  }
  switch (fill.rule) {
    case 'sl':
    case 'tp':
    case 'trailing':
      toast.success(t(`waiting.closed.${fill.rule}`, closed), proof)
      break
    case 'stop_out':
      // Stays until it is closed.
      toast.error(t('waiting.closed.stop_out', closed), proof)
      break
    default:
  }
}

function notifyEnded(product: Product, { side, type, reason }: Wire['Order']): void {
  const { t } = i18next
  const what = { name: t(`trade.waiting.${side}_${type}`), symbol: product.productNo }
  if (reason === 'expired') toast.success(t('waiting.ended.expired', what))
  else if (
    reason === 'no_margin' ||
    reason === 'too_many_positions' ||
    reason === 'close_only' ||
    reason === 'restricted'
  )
    toast.error(t(`waiting.ended.${reason}`, what))
}
