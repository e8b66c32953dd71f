import { parseDecimal } from './decimal'

/** A decimal string as a whole number of its last place; null when it is not a number. More decimals are cut. */
export function toScaled(value: string, decimals: number): bigint | null {
  const parsed = parseDecimal(value)
  if (!parsed) return null
  const digits = BigInt(parsed.whole + parsed.fraction.slice(0, decimals).padEnd(decimals, '0'))
  return parsed.negative ? -digits : digits
}

/** The decimal string of a whole number of last places. */
export function fromScaled(scaled: bigint, decimals: number): string {
  const digits = (scaled < 0n ? -scaled : scaled).toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals)
  return `${scaled < 0n ? '-' : ''}${whole}${fraction && `.${fraction}`}`
}

const HUNDRED = 100n

/** A share of an amount in percent, rounded up in the last of so many decimals: how the server charges. */
export function percentOf(amount: string, percent: string, decimals: number): string {
  const unit = 10n ** BigInt(decimals)
  const share = (toScaled(amount, decimals) ?? 0n) * (toScaled(percent, decimals) ?? 0n)
  return fromScaled((share + HUNDRED * unit - 1n) / (HUNDRED * unit), decimals)
}

export type StepRange = { step: string; min: string; max: string; decimals: number }

/**
 * The value one step up or down, on the grid of steps and inside the range. A value off the grid goes
 * to the nearest step in that direction; an empty one counts as the minimum.
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
