import type { Product } from '@/features/market/api/products'
import { formatPrice } from '@/format/price'
import { useQuote } from '@/live/use-quote'
import { Num } from '@/ui/num'
import type { PendingOrder } from '../../api/pending-orders'
import { DistanceText } from '../ticket/distance-text'

export type LivePriceProps = { order: PendingOrder; product: Product | undefined }

/** The side of the quote that the order fills at. */
export function MarketPrice({ order, product }: LivePriceProps) {
  const quote = useQuote(order.productId)
  const price = order.side === 'buy' ? quote?.ask : quote?.bid
  return <Num>{product && price !== undefined ? formatPrice(price, product.point) : '–'}</Num>
}

/** How far that price is from the one the order waits for. */
export function LiveDistance({ order, product }: LivePriceProps) {
  const quote = useQuote(order.productId)
  if (!product) return <Num>–</Num>
  const watched = order.status === 'working' ? (order.limitPrice ?? order.price) : order.price
  return <DistanceText product={product} side={order.side} price={watched} quote={quote} />
}
