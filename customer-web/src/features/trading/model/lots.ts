import type { Product } from '@/features/market/api/products'
import { fromScaled, type StepRange, toScaled } from '@/format/arithmetic'
import { decimalsOfLots } from '@/format/lots'

const SCALE = 6

function trim(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text
}

/** The volumes in which a product can be ordered. */
export function volumeRange(product: Product): StepRange {
  const { lotStep: step, lotMin: min, lotMax: max } = product
  return { step, min, max, decimals: decimalsOfLots(product) }
}

export type VolumeProblem = 'least' | 'most' | 'step'

/** The rule of the product that a volume breaks; null if there is none, or no volume yet. */
export function volumeProblem(product: Product, lots: string): VolumeProblem | null {
  const volume = toScaled(lots, SCALE)
  const [min, max] = [product.lotMin, product.lotMax].map((text) => toScaled(text, SCALE) ?? 0n)
  const step = toScaled(product.lotStep, SCALE) || 1n
  if (volume === null || min === undefined || max === undefined) return null
  if (volume > max) return 'most'
  if (volume < min) return 'least'
  return (volume - min) % step === 0n ? null : 'step'
}

/** Reports whether a product can be ordered in a volume. */
export function isVolume(product: Product, lots: string): boolean {
  return toScaled(lots, SCALE) !== null && volumeProblem(product, lots) === null
}

/** A percentage of a volume, rounded down to the product's step, at least its minimum. */
export function shareOfLots(product: Product, lots: string, percent: number): string {
  const whole = toScaled(lots, SCALE) ?? 0n
  const min = toScaled(product.lotMin, SCALE) ?? 0n
  const step = toScaled(product.lotStep, SCALE) || 1n
  const raw = (whole * BigInt(percent)) / 100n
  if (raw <= min) return trim(fromScaled(min, SCALE))
  return trim(fromScaled(min + ((raw - min) / step) * step, SCALE))
}

/** A price half a percent above or below, suggested as stop loss or take profit. */
export function suggestPrice(product: Product, price: string, above: boolean): string {
  const scaled = toScaled(price, product.point) ?? 0n
  const distance = scaled / 200n || 1n
  return fromScaled(above ? scaled + distance : scaled - distance, product.point)
}
