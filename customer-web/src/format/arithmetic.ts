import { parseDecimal } from './decimal'

/** A decimal string as an integer of its last decimal; null if it is not a number. More decimals are truncated. */
export function toScaled(value: string, decimals: number): bigint | null {
  const parsed = parseDecimal(value)
  if (!parsed) return null
  const digits = BigInt(parsed.whole + parsed.fraction.slice(0, decimals).padEnd(decimals, '0'))
  return parsed.negative ? -digits : digits
}

/** The decimal string of such an integer. */
export function fromScaled(scaled: bigint, decimals: number): string {
  const digits = (scaled < 0n ? -scaled : scaled).toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals)
  return `${scaled < 0n ? '-' : ''}${whole}${fraction && `.${fraction}`}`
}

export type StepRange = { step: string; min: string; max: string; decimals: number }

/**
 * The value one step up or down, on the grid of steps and within the range. A value off the grid moves to the
 * nearest step in that direction; an empty one counts as the minimum.
 */
export function stepValue(value: string, direction: 1 | -1, range: StepRange): string {
  const { decimals } = range
  const step = toScaled(range.step, decimals) || 1n
  const min = toScaled(range.min, decimals) ?? 0n
  const max = toScaled(range.max, decimals) ?? min
  const current = toScaled(value, decimals)
  if (current === null) return fromScaled(min, decimals)
  const offGrid = (((current - min) % step) + step) % step
  const below = current - offGrid
  const next = direction === 1 ? below + step : offGrid > 0n ? below : below - step
  return fromScaled(next < min ? min : next > max ? max : next, decimals)
}

/** Rounds half away from zero, as the engine does. */
export function divideHalfAway(numerator: bigint, denominator: bigint): bigint {
  const negative = numerator < 0n !== denominator < 0n
  const n = numerator < 0n ? -numerator : numerator
  const d = denominator < 0n ? -denominator : denominator
  const q = (2n * n + d) / (2n * d)
  return negative ? -q : q
}
