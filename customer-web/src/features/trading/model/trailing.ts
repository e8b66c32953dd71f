import type { Product } from '@/features/market/api/products'
import { fromScaled, toScaled } from '@/format/arithmetic'

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
