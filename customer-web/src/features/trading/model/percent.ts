import { divideHalfAway } from '@/format/arithmetic'

/** Percentages of a price are hundredths of a percent. */
export const PERCENT_DECIMALS = 2
const WHOLE = 10_000n

/** A share of a scaled price; the percentage is in hundredths. */
export function ofPercent(price: bigint, percent: bigint): bigint {
  return divideHalfAway(price * percent, WHOLE)
}

/** A distance in hundredths of a percent of a price other than zero. */
export function inPercent(distance: bigint, price: bigint): bigint {
  return divideHalfAway(distance * WHOLE, price)
}
