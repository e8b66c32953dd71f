import { fromScaled, toScaled } from './arithmetic'

const HUNDRED = 100n

/** A percentage of an amount, rounded up at the given decimals, as the server charges. */
export function percentOf(amount: string, percent: string, decimals: number): string {
  const unit = 10n ** BigInt(decimals)
  const share = (toScaled(amount, decimals) ?? 0n) * (toScaled(percent, decimals) ?? 0n)
  return fromScaled((share + HUNDRED * unit - 1n) / (HUNDRED * unit), decimals)
}
