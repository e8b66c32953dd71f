import { fromScaled } from './arithmetic'

/**
 * The margin level to show, in percent with two decimals; null when no margin is used. It is rounded
 * up, so that it reads at or below a mark exactly when it is decided so: 50.004 % is not stopped out
 * and reads 50.01. The server shows its levels the same way.
 */
export function marginLevel(equity: bigint, used: bigint): string | null {
  if (used === 0n) return null
  const scaled = equity * 10_000n
  const down = scaled / used // towards zero
  return fromScaled(scaled > 0n && down * used < scaled ? down + 1n : down, 2)
}
