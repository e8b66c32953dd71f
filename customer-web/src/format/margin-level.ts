import { fromScaled } from './arithmetic'

/**
 * The margin level for display, in percent with two decimals; null if no margin is used. It is rounded up, so that
 * it reads at or below a threshold exactly when the engine decides so: 50.004 % is not stopped out and reads
 * 50.01. The server displays its levels the same way.
 */
export function marginLevel(equity: bigint, used: bigint): string | null {
  if (used === 0n) return null
  const scaled = equity * 10_000n
  const down = scaled / used // towards zero
  return fromScaled(scaled > 0n && down * used < scaled ? down + 1n : down, 2)
}
