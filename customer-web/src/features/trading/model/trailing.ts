import type { Product } from '@/features/market/api/products'
import { fromScaled, toScaled } from '@/format/arithmetic'

/** The distances a trailing stop may have, from a position's closing price; null while that is unknown. */
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

/** Whether a distance is one of those that are possible. */
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

/** Whether a distance is the one that a position has: saved again, it leaves the trailing stop where it stands. */
export function isSameDistance(
  distance: string,
  had: string | undefined,
  { point }: Pick<Product, 'point'>,
): boolean {
  const wanted = toScaled(distance, point)
  return wanted !== null && wanted === toScaled(had ?? '', point)
}

/** Where a stop stands that begins to trail now; null while something is missing. */
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

/** A distance to start from: half a percent of the price. */
export function suggestTrail(
  { stopLevel, point }: Pick<Product, 'stopLevel' | 'point'>,
  current: string,
): string {
  const share = (toScaled(current, point) ?? 0n) / 200n
  const least = BigInt(Math.max(stopLevel, 1))
  return fromScaled(share > least ? share : least, point)
}
