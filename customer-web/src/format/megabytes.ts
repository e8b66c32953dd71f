import { formatFixed } from './amount'
import { fromScaled } from './arithmetic'

const MEGABYTE_DECIMALS = 6

/** The size of a file in megabytes, with two decimals. */
export function formatMegabytes(bytes: number): string {
  return formatFixed(fromScaled(BigInt(bytes), MEGABYTE_DECIMALS), 2)
}
