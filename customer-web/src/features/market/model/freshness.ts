import type { Wire } from '@/api/client'
import type { LiveQuote } from '@/live/quote-store'

/** Up to this age a price is live. */
export const FRESH_MS = 3_000
/** The limit of a product that names none. */
const USUAL_STALE_MS = 10_000

export type Freshness = 'fresh' | 'ageing' | 'stale' | 'closed' | 'halted'

export type FreshnessOf = {
  quote: Pick<LiveQuote, 'time' | 'seenAt' | 'halted'> | undefined
  /** The product's limit: an older price is not traded on. */
  staleMs: number
  status: Pick<Wire['ProductStatus'], 'open' | 'halted'> | undefined
  /** Market time, and when this device learnt it. */
  market: { marketTime: number; fetchedAt: number } | undefined
  now: number
}

/**
 * How much a price can be relied on. Its age is the longer of two: since it reached this device, and
 * since it was made, which counts by the market's clock because the device's may be wrong.
 */
export function freshnessOf({ quote, staleMs, status, market, now }: FreshnessOf): Freshness {
  if (status?.open === false) return 'closed'
  if (isHalted(quote, status)) return 'halted'
  if (!quote) return 'stale'
  const onTheWay = market ? market.marketTime + (now - market.fetchedAt) - quote.time : 0
  const age = Math.max(now - quote.seenAt, onTheWay)
  if (age <= FRESH_MS) return 'fresh'
  return age <= (staleMs || USUAL_STALE_MS) ? 'ageing' : 'stale'
}

/** Whether a product is halted: its price line says so at once, its status when it is asked for. */
export function isHalted(
  quote: Pick<LiveQuote, 'halted'> | undefined,
  status: Pick<Wire['ProductStatus'], 'halted'> | undefined,
): boolean {
  return quote?.halted ?? status?.halted ?? false
}

/** Whether the product can be traded on its price, as far as the price goes. */
export function isLive(freshness: Freshness): boolean {
  return freshness === 'fresh' || freshness === 'ageing'
}
