import { type DecimalInput, parseDecimal } from './decimal'

/** The number of decimals for a column of amounts: as many as the longest needs, at least two. */
export function decimalsOf(amounts: readonly DecimalInput[]): number {
  const lengths = amounts.map(
    (amount) => parseDecimal(amount)?.fraction.replace(/0+$/, '').length ?? 0,
  )
  return Math.max(2, ...lengths)
}
