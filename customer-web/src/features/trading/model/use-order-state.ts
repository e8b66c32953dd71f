import { useProductStatus } from '@/features/market/api/market-status'
import type { Product } from '@/features/market/api/products'
import { isHalted } from '@/features/market/model/freshness'
import { useLive } from '@/live/live'
import type { LiveQuote } from '@/live/quote-store'
import { useAge } from '@/live/use-age'
import { useQuote } from '@/live/use-quote'
import { useSession } from '@/session/session-store'

/** What prevents an order; null if nothing does. */
export type Obstacle =
  | 'guest'
  | 'offline'
  | 'closed'
  | 'close_only'
  | 'halted'
  | 'stale'
  | 'no_price'
  | null

export type OrderState = {
  quote: LiveQuote | undefined
  age: number | null
  obstacle: Obstacle
  until: number | undefined
}

/** The product's quote and its age, and whether an order can be sent now. The server decides. */
export function useOrderState(product: Product): OrderState {
  const quote = useQuote(product.productId)
  const status = useProductStatus(product.productId)
  const age = useAge(quote?.seenAt)
  const guest = useSession(({ token }) => token === null)
  const line = useLive(({ socket }) => socket)
  const base = { quote, age, until: status?.until }
  if (status && !status.open) return { ...base, obstacle: 'closed' }
  if (!quote) return { ...base, obstacle: 'no_price' }
  if (guest) return { ...base, obstacle: 'guest' }
  if (line !== 'open') return { ...base, obstacle: 'offline' }
  if (isHalted(quote, status)) return { ...base, obstacle: 'halted' }
  if (age !== null && age > product.staleMs) return { ...base, obstacle: 'stale' }
  return { ...base, obstacle: null }
}

/** The same for orders that open a position; some products are close-only. */
export function useOpeningState(product: Product): OrderState {
  const state = useOrderState(product)
  return product.mode === 'close_only' ? { ...state, obstacle: 'close_only' } : state
}
