import { formatFixed } from './amount'
import { type DecimalInput, parseDecimal, truncateDecimal } from './decimal'

/** A price for display: truncated to the product's `point` decimals, never rounded, with commas. */
export function formatPrice(price: DecimalInput, point: number): string {
  return formatFixed(price, point)
}

/**
 * A price for the wire and for fields: truncated to `point` decimals, plain minus, no commas. Empty if not a
 * number.
 */
export function truncatePrice(price: DecimalInput, point: number): string {
  const parsed = parseDecimal(price)
  if (!parsed) return ''
  const { negative, whole, fraction } = truncateDecimal(parsed, point)
  return `${negative ? '-' : ''}${whole}${fraction && `.${fraction}`}`
}

/** A formatted price in two parts; the tail is its last two digits, which are drawn larger. */
export type PriceParts = { head: string; tail: string }

/** Splits a formatted price before its last two digits: 1.158|24, 92,18|4.5. */
export function splitPrice(formatted: string): PriceParts {
  const match = /\d\D*\d$/.exec(formatted)
  if (!match) return { head: formatted, tail: '' }
  return { head: formatted.slice(0, match.index), tail: match[0] }
}
