import type { Wire } from '@/api/client'
import type { Product } from '@/features/market/api/products'
import { divideHalfAway, fromScaled, toScaled } from '@/format/arithmetic'
import { MINUS } from '@/format/decimal'
import { filterNumeric, toLatinDigits } from '@/format/numeric-input'
import { estimateProfit, type ReadQuote } from './estimate'

export type ProtectionKind = 'stopLoss' | 'takeProfit'

/** Prices set by dragging chart lines, not saved yet. */
export type DraggedProtection = Partial<Record<ProtectionKind, string>>

type Position = Pick<Wire['Position'], 'side' | 'lots' | 'openPrice'>

/** Reports whether a protection is below the price: a buy's stop loss, a sell's take profit. */
export function liesBelow(side: 'buy' | 'sell', kind: ProtectionKind): boolean {
  return (side === 'buy') === (kind === 'stopLoss')
}

/** The nearest price the engine accepts: the product's stop level away from the current closing price. */
export function nearestPrice(
  product: Pick<Product, 'stopLevel' | 'point'>,
  side: 'buy' | 'sell',
  kind: ProtectionKind,
  quote: { bid: string; ask: string },
): string | null {
  const price = toScaled(side === 'buy' ? quote.bid : quote.ask, product.point)
  if (price === null) return null
  const distance = BigInt(Math.max(product.stopLevel, 1))
  return fromScaled(liesBelow(side, kind) ? price - distance : price + distance, product.point)
}

/** Reports whether a price is closer than the engine accepts, or on the wrong side. */
export function isTooNear(
  price: string,
  nearest: string,
  below: boolean,
  { point }: Pick<Product, 'point'>,
): boolean {
  const wanted = toScaled(price, point)
  const limit = toScaled(nearest, point)
  if (wanted === null || limit === null) return false
  return below ? wanted > limit : wanted < limit
}

/** The nearest price the engine accepts, and whether a typed one is missing or breaks it; null without a quote. */
export function protectionLimit(
  product: Pick<Product, 'stopLevel' | 'point'>,
  side: 'buy' | 'sell',
  kind: ProtectionKind,
  price: string,
  quote: { bid: string; ask: string } | undefined,
): { nearest: string; broken: boolean } | null {
  const nearest = quote ? nearestPrice(product, side, kind, quote) : null
  if (nearest === null) return null
  const below = liesBelow(side, kind)
  return { nearest, broken: price === '' || isTooNear(price, nearest, below, product) }
}

/** The position's profit at a price, to the cent; null while a rate is missing. */
export function amountAt(
  product: Product,
  position: Position,
  price: string,
  read: ReadQuote,
): string | null {
  if (toScaled(price, product.point) === null) return null
  return estimateProfit(
    product,
    { side: position.side, lots: position.lots, open: position.openPrice, close: price },
    read,
  )
}

/** A distance so long that rounding the profit over it loses no relevant digits. */
const LONG_WAY = 1_000_000n
const SCALE = 6

/** The price at which the position has a given profit; null if there is none. */
export function priceFor(
  product: Product,
  position: Position,
  amount: string,
  read: ReadQuote,
): string | null {
  const wanted = toScaled(amount, SCALE)
  const open = toScaled(position.openPrice, product.point)
  if (wanted === null || open === null) return null
  const far = fromScaled(open + LONG_WAY, product.point)
  const perWay = estimateProfit(
    product,
    { side: 'buy', lots: position.lots, open: position.openPrice, close: far },
    read,
  )
  const gain = perWay === null ? null : toScaled(perWay, SCALE)
  if (!gain) return null
  const move = divideHalfAway(wanted * LONG_WAY, gain)
  const price = position.side === 'buy' ? open + move : open - move
  return price > 0n ? fromScaled(price, product.point) : null
}

/** What an amount field keeps: a sign and a decimal to the cent. */
export function filterAmount(text: string): string {
  const sign = /^\s*[-\u2212]/.test(text) ? MINUS : /^\s*\+/.test(text) ? '+' : ''
  return sign + filterNumeric(toLatinDigits(text).replace(/^\s*[-+\u2212]/, ''), 2)
}

/** Adds the sign to an amount typed without one: a stop loss loses, a take profit gains. */
export function signedAmount(text: string, kind: ProtectionKind): string {
  const digits = text.replace(/^[-+\u2212]/, '').replace(/\.$/, '')
  if (digits === '') return ''
  const negative = /^[-\u2212]/.test(text) || (kind === 'stopLoss' && !text.startsWith('+'))
  return negative ? `-${digits}` : digits
}
