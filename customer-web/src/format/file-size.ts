import { formatFixed } from './amount'
import { fromScaled } from './arithmetic'

const MEGABYTE = 1_000_000
const MEGABYTE_DECIMALS = 6
const KILOBYTE = 1000

/** The size of a file: megabytes with two decimals, or whole kilobytes below one. */
export function formatFileSize(bytes: number): string {
  if (bytes < MEGABYTE) return `${formatFixed(String(Math.ceil(bytes / KILOBYTE)), 0)} kB`
  return `${formatFixed(fromScaled(BigInt(bytes), MEGABYTE_DECIMALS), 2)} MB`
}
