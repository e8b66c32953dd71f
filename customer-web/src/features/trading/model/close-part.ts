import type { Product } from '@/features/market/api/products'
import { fromScaled, toScaled } from '@/format/arithmetic'

const SCALE = 6

/** The maximum slippage when closing a position, in basis points. */
export const SLIPPAGE_BPS = 50

export type PartProblem = 'lots' | 'rest'

/**
 * The problem with closing some of a position's lots, by the engine's rules; null if there is none. The closed
 * part and the rest must keep the product's minimum, and the part its step.
 */
export function partProblem(
  product: Pick<Product, 'lotMin' | 'lotStep'>,
  lots: string,
  of: string,
): PartProblem | null {
  const part = toScaled(lots, SCALE)
  const whole = toScaled(of, SCALE) ?? 0n
  const min = toScaled(product.lotMin, SCALE) ?? 0n
  const step = toScaled(product.lotStep, SCALE) || 1n
  if (part === null || part <= 0n || part > whole) return 'lots'
  if (part === whole) return null
  if (part < min || (part - min) % step !== 0n) return 'lots'
  return whole - part < min ? 'rest' : null
}

/** Reports whether two volumes are equal. */
export function isAll(lots: string, of: string): boolean {
  return toScaled(lots, SCALE) === toScaled(of, SCALE)
}

/** The remaining volume as a plain decimal. */
export function restOf(lots: string, of: string): string {
  return fromScaled((toScaled(of, SCALE) ?? 0n) - (toScaled(lots, SCALE) ?? 0n), SCALE)
}

/** The share of a sum for some of the lots, used as an estimate while no rate is known. */
export function shareOfSum(sum: string, lots: string, of: string): string | null {
  const whole = toScaled(sum, SCALE)
  const part = toScaled(lots, SCALE)
  const all = toScaled(of, SCALE)
  if (whole === null || part === null || !all) return null
  return fromScaled((whole * part) / all, SCALE)
}
