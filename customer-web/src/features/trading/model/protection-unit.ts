import type { Product } from '@/features/market/api/products'
import { decimalsOfUnit, fromUnits, toUnits } from '@/features/market/model/pips'
import { divideHalfAway, fromScaled, toScaled } from '@/format/arithmetic'
import { MINUS } from '@/format/decimal'
import { filterNumeric, toLatinDigits } from '@/format/numeric-input'
import type { ProtectionUnit } from '@/theme/preferences'
import { estimateProfit, type ReadQuote } from './estimate'
import { inPercent, ofPercent, PERCENT_DECIMALS } from './percent'
import { filterAmount, liesBelow, type ProtectionKind, priceFor, signedAmount } from './protection'

/** The order or position that a stop loss or take profit belongs to; `open` is its price. */
export type Protected = { side: 'buy' | 'sell'; lots: string; open: string }

/** From six decimals to two. */
const CENT = 10_000n

const plain = (text: string) => text.replace(/^[\u2212]/, '-')

/** What a field in a unit keeps of typed text. Distances may be negative: a stop loss in profit. */
export function filterInUnit(unit: ProtectionUnit, product: Product, text: string): string {
  if (unit === 'price') return filterNumeric(text, product.point)
  if (unit === 'amount') return filterAmount(text)
  const decimals = unit === 'distance' ? decimalsOfUnit(product) : PERCENT_DECIMALS
  const latin = toLatinDigits(text).trim()
  const sign = /^[-\u2212]/.test(latin) ? MINUS : ''
  return sign + filterNumeric(latin.replace(/^[-+\u2212]/, ''), decimals)
}

/** The price that a typed value means; null if it means none. */
export function priceOf(
  unit: ProtectionUnit,
  kind: ProtectionKind,
  product: Product,
  { side, lots, open }: Protected,
  typed: string,
  read: ReadQuote,
): string | null {
  const text = plain(typed).replace(/\.$/, '')
  if (unit === 'price') return text
  if (unit === 'amount')
    return priceFor(product, { side, lots, openPrice: open }, signedAmount(typed, kind), read)
  const from = toScaled(open, product.point)
  const away =
    unit === 'distance' ? scaledUnits(product, text) : share(from, toScaled(text, PERCENT_DECIMALS))
  if (from === null || away === null) return null
  const price = liesBelow(side, kind) ? from - away : from + away
  return price > 0n ? fromScaled(price, product.point) : null
}

/** A price in a unit, as a field shows it; empty while it has none. */
export function textOf(
  unit: ProtectionUnit,
  kind: ProtectionKind,
  product: Product,
  { side, lots, open }: Protected,
  price: string,
  read: ReadQuote,
): string {
  if (unit === 'price') return price
  const from = toScaled(open, product.point)
  const to = toScaled(price, product.point)
  if (from === null || to === null) return ''
  if (unit === 'amount') {
    const amount = estimateProfit(product, { side, lots, open, close: price }, read)
    return amount === null
      ? ''
      : written(fromScaled(divideHalfAway(toScaled(amount, 6) ?? 0n, CENT), 2))
  }
  const away = liesBelow(side, kind) ? from - to : to - from
  if (unit === 'distance') return written(toUnits(product, fromScaled(away, product.point)) ?? '')
  return from === 0n ? '' : written(fromScaled(inPercent(away, from), PERCENT_DECIMALS))
}

const written = (text: string) => text.replace(/^-/, MINUS)

function scaledUnits(product: Product, text: string): bigint | null {
  const distance = fromUnits(product, text)
  return distance === null ? null : toScaled(distance, product.point)
}

function share(from: bigint | null, percent: bigint | null): bigint | null {
  return from === null || percent === null ? null : ofPercent(from, percent)
}

/** What a stop loss risks and a take profit brings, and their ratio; null unless the one loses and the other gains. */
export function riskReward(
  loss: string | null,
  gain: string | null,
): { risk: string; reward: string; ratio: string } | null {
  const risk = -(toScaled(loss ?? '', 6) ?? 0n)
  const reward = toScaled(gain ?? '', 6) ?? 0n
  if (risk <= 0n || reward <= 0n) return null
  const ratio = fromScaled(divideHalfAway(reward * 10n, risk), 1).replace(/\.0$/, '')
  return { risk: fromScaled(risk, 6), reward: fromScaled(reward, 6), ratio }
}
