import type { Product } from '@/features/market/api/products'
import { fromScaled, toScaled } from '@/format/arithmetic'

const SCALE = 6

/** How far the price may move against the trader while a position is closed, in hundredths of a percent. */
export const SLIPPAGE_BPS = 50

export type PartProblem = 'lots' | 'rest'

/**
 * What is wrong with closing some of a position's lots, as the engine sees it; null when nothing is.
 * What is closed and what stays both keep the product's minimum, and the part its step.
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

/** Whether two volumes are one. */
export function isAll(lots: string, of: string): boolean {
  return toScaled(lots, SCALE) === toScaled(of, SCALE)
}

/** What stays open, as a plain decimal. */
export function restOf(lots: string, of: string): string {
  return fromScaled((toScaled(of, SCALE) ?? 0n) - (toScaled(lots, SCALE) ?? 0n), SCALE)
}

/** The share of a sum that belongs to some of the lots: a guess while no rate is known. */
export function shareOfSum(sum: string, lots: string, of: string): string | null {
  const whole = toScaled(sum, SCALE)
  const part = toScaled(lots, SCALE)
  const all = toScaled(of, SCALE)
  if (whole === null || part === null || !all) return null
  return fromScaled((whole * part) / all, SCALE)
}
