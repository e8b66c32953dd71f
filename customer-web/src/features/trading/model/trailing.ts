import type { Product } from '@/features/market/api/products'
import { decimalsOfUnit, fromUnits, toUnits } from '@/features/market/model/pips'
import { fromScaled, toScaled } from '@/format/arithmetic'
import { filterNumeric } from '@/format/numeric-input'
import { inPercent, ofPercent, PERCENT_DECIMALS } from './percent'

/** The allowed distances of a trailing stop, from the current closing price; null while that is unknown. */
export function trailLimits(
  { stopLevel, point }: Pick<Product, 'stopLevel' | 'point'>,
  current: string | undefined,
): { min: string; max: string } | null {
  const price = toScaled(current ?? '', point)
  if (price === null) return null
  return {
    min: fromScaled(BigInt(Math.max(stopLevel, 1)), point),
    max: fromScaled(price - 1n, point),
  }
}

/** The limits of a distance as texts; those of a refusal may be anything. */
export function limitTexts(
  { min, max }: { min?: unknown; max?: unknown },
  text: (distance: string) => string,
): { min: string; max: string } {
  return { min: text(String(min)), max: text(String(max)) }
}

/** Reports whether a distance is allowed. */
export function isValidTrail(
  distance: string,
  { min, max }: { min: string; max: string },
  { point }: Pick<Product, 'point'>,
): boolean {
  const wanted = toScaled(distance, point)
  const least = toScaled(min, point)
  const most = toScaled(max, point)
  return wanted !== null && least !== null && most !== null && wanted >= least && wanted <= most
}

/** Reports whether a distance equals the position's current one; saving it leaves the trailing stop at its level. */
export function isSameDistance(
  distance: string,
  had: string | undefined,
  { point }: Pick<Product, 'point'>,
): boolean {
  const wanted = toScaled(distance, point)
  return wanted !== null && wanted === toScaled(had ?? '', point)
}

/** The initial level of a new trailing stop; null if the price or distance is missing. */
export function trailStart(
  { point }: Pick<Product, 'point'>,
  side: 'buy' | 'sell',
  current: string | undefined,
  distance: string,
): string | null {
  const price = toScaled(current ?? '', point)
  const behind = toScaled(distance, point)
  if (price === null || behind === null) return null
  return fromScaled(side === 'buy' ? price - behind : price + behind, point)
}

/** The suggested distance: half a percent of the price. */
export function suggestTrail(
  { stopLevel, point }: Pick<Product, 'stopLevel' | 'point'>,
  current: string,
): string {
  const share = (toScaled(current, point) ?? 0n) / 200n
  const least = BigInt(Math.max(stopLevel, 1))
  return fromScaled(share > least ? share : least, point)
}

/** In what a trailing stop's distance is typed: the product's unit, or percent of the current price. */
export type TrailUnit = 'distance' | 'percent'

/** What the field keeps of typed text. */
export function filterTrail(unit: TrailUnit, product: Product, text: string): string {
  return filterNumeric(text, unit === 'distance' ? decimalsOfUnit(product) : PERCENT_DECIMALS)
}

/** The distance as a difference of prices that typed text means; empty if it means none. */
export function trailOf(
  unit: TrailUnit,
  product: Product,
  current: string | undefined,
  typed: string,
): string {
  const text = typed.replace(/\.$/, '')
  if (unit === 'distance') return fromUnits(product, text) ?? ''
  const price = toScaled(current ?? '', product.point)
  const percent = toScaled(text, PERCENT_DECIMALS)
  if (price === null || percent === null) return ''
  return fromScaled(ofPercent(price, percent), product.point)
}

/** A distance as the field shows it; empty while it has none. */
export function trailText(
  unit: TrailUnit,
  product: Product,
  current: string | undefined,
  distance: string,
): string {
  if (unit === 'distance') return toUnits(product, distance) ?? ''
  const price = toScaled(current ?? '', product.point)
  const away = toScaled(distance, product.point)
  if (!price || away === null) return ''
  return fromScaled(inPercent(away, price), PERCENT_DECIMALS)
}
