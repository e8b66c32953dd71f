import { type DecimalInput, parseDecimal } from './decimal'

/** Currencies whose amounts a list shows in whole cents. */
const IN_CENTS: readonly string[] = ['USDT', 'USD']

/**
 * The number of decimals for a column of amounts of a currency: two for USDT and USD, otherwise as many as the longest
 * needs. The exact amount is in the details of an entry.
 */
export function decimalsOf(currency: string, amounts: readonly DecimalInput[]): number {
  return IN_CENTS.includes(currency) ? 2 : exactDecimals(amounts)
}

/** The number of decimals for a column of exact amounts: as many as the longest needs, at least two. */
export function exactDecimals(amounts: readonly DecimalInput[]): number {
  const lengths = amounts.map(
    (amount) => parseDecimal(amount)?.fraction.replace(/0+$/, '').length ?? 0,
  )
  return Math.max(2, ...lengths)
}
