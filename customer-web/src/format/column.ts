import { type DecimalInput, parseDecimal } from './decimal'

/** How many decimals all amounts of a column are written with: as many as the longest of them needs, at least two. */
export function decimalsOf(amounts: readonly DecimalInput[]): number {
  const lengths = amounts.map(
    (amount) => parseDecimal(amount)?.fraction.replace(/0+$/, '').length ?? 0,
  )
  return Math.max(2, ...lengths)
}
