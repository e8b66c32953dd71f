import { NUMERIC_PRECISION } from '@/constants'
import {
  type DecimalInput,
  isZero,
  joinDecimal,
  NO_VALUE,
  parseDecimal,
  truncateDecimal,
} from './decimal'

/**
 * An amount of money in the specification's format: at most six decimals, trailing zeros trimmed, at least two
 * decimals if it has any, thousands separated by commas. More decimals are truncated, so the app never shows more
 * than there is. Currencies with finer units have more decimals.
 */
export function formatAmount(input: DecimalInput, precision = NUMERIC_PRECISION): string {
  const parsed = parseDecimal(input)
  if (!parsed) return NO_VALUE
  const cut = truncateDecimal(parsed, precision)
  const trimmed = cut.fraction.replace(/0+$/, '')
  return joinDecimal({ ...cut, fraction: trimmed === '' ? '' : trimmed.padEnd(2, '0') })
}

/** An amount of USDT to dispose of, in whole cents: the rest is truncated, so it is never more than there is. */
export function formatUsdt(input: DecimalInput): string {
  return formatAmount(input, 2)
}

/** A number with exactly `decimals` decimals, for aligned columns; more decimals are truncated. */
export function formatFixed(input: DecimalInput, decimals: number): string {
  const parsed = parseDecimal(input)
  if (!parsed) return NO_VALUE
  const cut = truncateDecimal(parsed, decimals)
  return joinDecimal({ ...cut, fraction: cut.fraction.padEnd(decimals, '0') })
}

/** Like formatFixed but always signed: profit and loss, price changes. */
export function formatSigned(input: DecimalInput, decimals = 2): string {
  return withPlus(formatFixed(input, decimals), input, decimals)
}

/** A percentage, given in percent: "0.89" becomes "0.89%". */
export function formatPercent(input: DecimalInput, decimals = 2): string {
  const text = formatFixed(input, decimals)
  return text === NO_VALUE ? text : `${text}%`
}

/** A signed percentage: "+0.89%". */
export function formatSignedPercent(input: DecimalInput, decimals = 2): string {
  return withPlus(formatPercent(input, decimals), input, decimals)
}

/** The direction of a number as displayed, after truncation; colours and arrows follow it. */
export function directionOf(
  input: DecimalInput,
  decimals = NUMERIC_PRECISION,
): 'up' | 'down' | 'flat' {
  const parsed = parseDecimal(input)
  if (!parsed) return 'flat'
  const cut = truncateDecimal(parsed, decimals)
  if (isZero(cut)) return 'flat'
  return cut.negative ? 'down' : 'up'
}

function withPlus(text: string, input: DecimalInput, decimals: number): string {
  return directionOf(input, decimals) === 'up' ? `+${text}` : text
}
