import type { Product } from '@/features/market/api/products'
import { useLive } from '@/live/live'
import { useQuote } from '@/live/use-quote'
import { useSession } from '@/session/session-store'
import { type OrderState, useOrderState } from './use-order-state'

/** What prevents a pending order; a closed market or an old price does not. */
export function usePendingOrderState(product: Product): OrderState {
  const state = useOrderState(product)
  useQuote(product.conversion.productId || product.productId)
  useQuote(product.marginConversion.productId || product.productId)
  const guest = useSession(({ token }) => token === null)
  const offline = useLive(({ socket }) => socket !== 'open')
  const obstacle = guest ? 'guest' : offline ? 'offline' : state.quote ? null : 'no_price'
  return { ...state, obstacle }
}
