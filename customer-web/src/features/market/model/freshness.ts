import type { Wire } from '@/api/client'
import type { LiveQuote } from '@/live/quote-store'

/** Up to this age a price is live. */
export const FRESH_MS = 3_000
/** The age limit of a product without its own. */
const USUAL_STALE_MS = 10_000

export type Freshness = 'fresh' | 'ageing' | 'stale' | 'closed' | 'halted'

export type FreshnessOf = {
  quote: Pick<LiveQuote, 'time' | 'seenAt' | 'halted'> | undefined
  /** The product's age limit; older prices are not traded on. */
  staleMs: number
  status: Pick<Wire['ProductStatus'], 'open' | 'halted'> | undefined
  /** Market time, and when this device received it. */
  market: { marketTime: number; fetchedAt: number } | undefined
  now: number
}

/**
 * The freshness of a price. Its age is the longer of two: since it reached this device, and since it was made by
 * market time, because the device clock may be wrong.
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

/** Reports whether a product is halted; its quotes say so before its status is fetched again. */
export function isHalted(
  quote: Pick<LiveQuote, 'halted'> | undefined,
  status: Pick<Wire['ProductStatus'], 'halted'> | undefined,
): boolean {
  return quote?.halted ?? status?.halted ?? false
}

/** Reports whether the price is fresh enough to trade on. */
export function isLive(freshness: Freshness): boolean {
  return freshness === 'fresh' || freshness === 'ageing'
}
