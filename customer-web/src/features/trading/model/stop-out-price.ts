import type { Product } from '@/features/market/api/products'
import { divideHalfAway, fromScaled, toScaled } from '@/format/arithmetic'
import { type ReadQuote, rateOf } from './estimate'

const SCALE = 6

/** The lowest possible price. */
const LEAST = 1n
/** The search ends at this multiple of the current price. */
const FARTHEST = 100n

/** Lots of a product opened at a price. */
export type OpenLots = { side: 'buy' | 'sell'; lots: string; openPrice: string }

/** The account's margin at one moment, in 10^-6 of its currency. */
export type AccountMargin = {
  /** Equity without the floating profit of the product's own positions. */
  rest: bigint
  used: bigint
}

export type StopOutPrice = { price: string; of: 'bid' | 'ask' }

/**
 * The price of a product at which a stop-out would start if only that price moved and the spread stayed: a bid if
 * it must fall, an ask if it must rise. Null if no price would do, or while one is missing. It starts when equity
 * is at or below half the used margin, or zero without used margin.
 */
export function stopOutPrice(
  product: Product,
  open: readonly OpenLots[],
  { rest, used }: AccountMargin,
  read: ReadQuote,
): StopOutPrice | null {
  const { point } = product
  const quote = read(product.productId)
  const bid = toScaled(quote?.bid ?? '', point)
  const ask = toScaled(quote?.ask ?? '', point)
  if (open.length === 0 || bid === null || ask === null || bid <= 0n) return null
  const spread = ask - bid
  const profitAt = profitOf(product, open, spread, read)
  const stops = (at: bigint) => {
    const profit = profitAt(at)
    return profit !== null && rest + profit <= used / 2n
  }
  const write = (price: bigint) => fromScaled(price, point)
  if (stops(LEAST)) return { price: write(nearest(stops, bid, LEAST)), of: 'bid' }
  const most = bid * FARTHEST
  if (stops(most)) return { price: write(nearest(stops, bid, most) + spread), of: 'ask' }
  return null
}

/** The price nearest to the current one for which a condition is true that is true at the far end. */
function nearest(isSo: (at: bigint) => boolean, now: bigint, far: bigint): bigint {
  if (isSo(now)) return now
  let [not, so] = [now, far]
  while (so - not > 1n || not - so > 1n) {
    const middle = (not + so) / 2n
    if (isSo(middle)) so = middle
    else not = middle
  }
  return so
}

/** The total profit of all lots when closed at a bid and the corresponding ask; null without a rate. */
function profitOf(
  product: Product,
  open: readonly OpenLots[],
  spread: bigint,
  read: ReadQuote,
): (bid: bigint) => bigint | null {
  const { point, productId, conversion, contractSize } = product
  let bought = 0n
  let sold = 0n
  let paid = 0n
  for (const { side, lots, openPrice } of open) {
    const volume = toScaled(lots, SCALE) ?? 0n
    const worth = volume * (toScaled(openPrice, point) ?? 0n)
    if (side === 'buy') bought += volume
    else sold += volume
    paid += side === 'buy' ? worth : -worth
  }
  const fixed = conversion.productId === productId ? null : rateOf(conversion, read)
  return (bid) => {
    const ask = bid + spread
    const rate =
      fixed ??
      rateOf(conversion, (id) =>
        id === productId ? { bid: fromScaled(bid, point), ask: fromScaled(ask, point) } : undefined,
      )
    if (!rate) return null
    const move = bought * bid - sold * ask - paid
    return divideHalfAway(
      move * BigInt(contractSize) * rate.multiply,
      10n ** BigInt(point) * rate.divide,
    )
  }
}
