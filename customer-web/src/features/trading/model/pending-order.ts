import i18next from 'i18next'
import type { Wire } from '@/api/client'
import type { Product } from '@/features/market/api/products'
import { fromScaled, toScaled } from '@/format/arithmetic'
import { completeNumeric } from '@/format/numeric-input'
import { truncatePrice } from '@/format/price'
import { momentOf, offsetAt, type Zone } from '@/format/zone'
import { errorText } from '@/i18n/error-text'
import { isPrice } from './is-price'
import { isTooNear, liesBelow, nearestPrice, type ProtectionKind } from './protection'
import type { ProtectionInput, Side } from './ticket-store'

export type PendingOrderKind = Wire['Order']['type']
type Quote = { bid: string; ask: string }

/** The typed input of a pending order; all of it can be amended. */
export type PendingOrderInput = {
  price: string
  limitPrice: string
  stopLoss: ProtectionInput
  takeProfit: ProtectionInput
  force: Wire['Order']['timeInForce']
  /** A date and time in the format of a datetime field. */
  until: string
}

/** The fixed part of a pending order. `armed`: the stop has triggered, so only the limit is pending. */
export type PendingOrderShape = { side: Side; kind: PendingOrderKind; armed: boolean }

/** The price at which an order would be filled now. */
export function openingPrice(side: Side, quote: Quote): string {
  return side === 'buy' ? quote.ask : quote.bid
}

/** Reports whether an order triggers below the market: a buy limit or a sell stop. */
export function triggersBelowMarket({
  side,
  kind,
}: Pick<PendingOrderShape, 'side' | 'kind'>): boolean {
  return (side === 'buy') === (kind === 'limit')
}

/** The price nearest to the market that the engine accepts. */
export function nearestTrigger(product: Product, shape: PendingOrderShape, quote: Quote): string {
  const market = toScaled(openingPrice(shape.side, quote), product.point) ?? 0n
  const distance = BigInt(Math.max(product.stopLevel, 1))
  return fromScaled(
    triggersBelowMarket(shape) ? market - distance : market + distance,
    product.point,
  )
}

/** Reports whether a price is on the wrong side of the market or too close to it for an order to be pending there. */
export function isRefusedTrigger(
  product: Product,
  shape: PendingOrderShape,
  quote: Quote,
  price: string,
): boolean {
  const nearest = nearestTrigger(product, shape, quote)
  return isTooNear(price, nearest, triggersBelowMarket(shape), product)
}

/** The step of round prices at a distance: the largest of 1, 2, 5, 10 … that fits five times into it. */
function roundStep(distance: bigint): bigint {
  let step = 1n
  for (let unit = 1n; unit * 5n <= distance; unit *= 10n)
    for (const one of [unit, 2n * unit, 5n * unit]) if (one * 5n <= distance) step = one
  return step
}

/** How far a suggested price is from the market at least: a tenth of the day's range, which is about a quarter of an hour's. */
function suggestedDistance(product: Product, market: bigint): bigint {
  const high = toScaled(product.high24Hours ?? '', product.point)
  const low = toScaled(product.low24Hours ?? '', product.point)
  const range = high !== null && low !== null ? (high - low) / 10n : market / 1_000n
  const least = 2n * BigInt(Math.max(product.stopLevel, 1))
  return range > least ? range : least
}

/**
 * Suggested prices: a round price at least a tenth of the day's range and twice the product's least distance away
 * from the market, on the side where the order can be pending.
 */
export function suggestPrices(
  product: Product,
  shape: PendingOrderShape,
  quote: Quote,
): Pick<PendingOrderInput, 'price' | 'limitPrice'> {
  const market = toScaled(openingPrice(shape.side, quote), product.point) ?? 0n
  const distance = suggestedDistance(product, market)
  const step = roundStep(distance)
  const price = triggersBelowMarket(shape)
    ? ((market - distance) / step) * step
    : ((market + distance + step - 1n) / step) * step
  const limit = shape.side === 'buy' ? price + distance / 2n : price - distance / 2n
  return {
    price: fromScaled(price, product.point),
    limitPrice: shape.kind === 'stop_limit' ? fromScaled(limit, product.point) : '',
  }
}

/** The price in the middle of bid and ask. */
export function middleOf({ point }: Pick<Product, 'point'>, { bid, ask }: Quote): string {
  return fromScaled(((toScaled(bid, point) ?? 0n) + (toScaled(ask, point) ?? 0n)) / 2n, point)
}

/** A price that lies some thousandths of the market's away from it, on the side where the order can be pending. */
export function priceAway(
  product: Product,
  shape: PendingOrderShape,
  quote: Quote,
  thousandths: bigint,
): string {
  const market = toScaled(openingPrice(shape.side, quote), product.point) ?? 0n
  const away = (market * thousandths) / 1_000n
  return fromScaled(triggersBelowMarket(shape) ? market - away : market + away, product.point)
}

/** The expected fill price. */
export function expectedFillPrice(input: PendingOrderInput, kind: PendingOrderKind): string {
  return completeNumeric(kind === 'stop_limit' ? input.limitPrice : input.price)
}

/** The distance of a price from the market, also in percent of the market. */
export function distanceOf(
  product: Product,
  side: Side,
  price: string,
  quote: Quote,
): { price: string; percent: string } | null {
  const wanted = toScaled(price, product.point)
  const market = toScaled(openingPrice(side, quote), product.point)
  if (wanted === null || !market) return null
  const distance = wanted > market ? wanted - market : market - wanted
  return {
    price: fromScaled(distance, product.point),
    percent: fromScaled((distance * 10_000n) / market, 2),
  }
}

/** The problems of the input, translated. */
export type Problems = Partial<
  Record<'price' | 'limitPrice' | 'stopLoss' | 'takeProfit' | 'expiresAt', string>
>

/** The fields of refusals that are about one. */
export const fieldOf: Record<string, 'price' | 'stopLoss' | 'takeProfit'> = {
  'order.price_above': 'price',
  'order.price_below': 'price',
  'order.stop_loss': 'stopLoss',
  'order.take_profit': 'takeProfit',
}

/** Finds the problems of the input, with the texts of the server's refusals; the server decides. */
export function problemsOf(
  product: Product,
  shape: PendingOrderShape,
  input: PendingOrderInput,
  quote: Quote | undefined,
  expiry: { now: number; zone: Zone },
): Problems {
  const out: Problems = {}
  const say = (code: string, limit: string) => errorText({ httpStatus: 200, code, args: { limit } })
  if (quote && !shape.armed && input.price !== '') {
    if (isRefusedTrigger(product, shape, quote, completeNumeric(input.price)))
      out.price = say(
        triggersBelowMarket(shape) ? 'order.price_below' : 'order.price_above',
        nearestTrigger(product, shape, quote),
      )
  }
  const entry = expectedFillPrice(input, shape.kind)
  for (const kind of ['stopLoss', 'takeProfit'] as const) {
    const nearest = input[kind].on ? nearestProtection(product, shape.side, kind, entry) : null
    const price = completeNumeric(input[kind].price)
    if (nearest !== null && isTooNear(price, nearest, liesBelow(shape.side, kind), product))
      out[kind] = say(kind === 'stopLoss' ? 'order.stop_loss' : 'order.take_profit', nearest)
  }
  if (
    input.force === 'date' &&
    input.until !== '' &&
    parseFieldTime(input.until, expiry.zone) <= expiry.now
  )
    out.expiresAt = i18next.t('field.future')
  return out
}

/** Protection is checked against the order's expected fill price. */
function nearestProtection(product: Product, side: Side, kind: ProtectionKind, entry: string) {
  return nearestPrice(product, side, kind, { bid: entry, ask: entry })
}

/** Reports whether a required field is missing. */
export function isIncomplete(input: PendingOrderInput, kind: PendingOrderKind): boolean {
  return (
    !isPrice(input.price) ||
    (kind === 'stop_limit' && !isPrice(input.limitPrice)) ||
    [input.stopLoss, input.takeProfit].some(({ on, price }) => on && !isPrice(price)) ||
    (input.force === 'date' && input.until === '')
  )
}

/** The request body of the input. */
export function toRequestBody(
  input: PendingOrderInput,
  kind: PendingOrderKind,
  zone: Zone,
): Omit<Wire['UpdateOrder'], 'orderId'> {
  const { stopLoss, takeProfit } = input
  return {
    price: completeNumeric(input.price),
    ...(kind === 'stop_limit' ? { limitPrice: completeNumeric(input.limitPrice) } : {}),
    ...(stopLoss.on ? { stopLoss: completeNumeric(stopLoss.price) } : {}),
    ...(takeProfit.on ? { takeProfit: completeNumeric(takeProfit.price) } : {}),
    timeInForce: input.force,
    ...(input.force === 'date' ? { expiresAt: parseFieldTime(input.until, zone) } : {}),
  }
}

/** The input fields of an existing order. */
export function inputOf(order: Wire['Order'], { point }: Product, zone: Zone): PendingOrderInput {
  const protection = (price: string | undefined): ProtectionInput => ({
    on: price !== undefined,
    price: truncatePrice(price, point),
  })
  return {
    price: truncatePrice(order.price, point),
    limitPrice: truncatePrice(order.limitPrice, point),
    stopLoss: protection(order.stopLoss),
    takeProfit: protection(order.takeProfit),
    force: order.timeInForce,
    until:
      order.timeInForce === 'date' && order.expiresAt !== undefined
        ? formatFieldTime(order.expiresAt, zone)
        : '',
  }
}

/** Parses a datetime field; NaN while it is incomplete. */
export function parseFieldTime(text: string, zone: Zone): number {
  return momentOf(Date.parse(`${text}Z`), zone)
}

/** Formats a moment for a datetime field, in the trader's zone. */
export function formatFieldTime(at: number, zone: Zone): string {
  return new Date(at + offsetAt(at, zone)).toISOString().slice(0, 16)
}
