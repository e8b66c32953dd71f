import { fromScaled, toScaled } from './arithmetic'

const HUNDRED = 100n

/** A share of an amount in percent, rounded up in the last of so many decimals: how the server charges. */
export function percentOf(amount: string, percent: string, decimals: number): string {
  const unit = 10n ** BigInt(decimals)
  const share = (toScaled(amount, decimals) ?? 0n) * (toScaled(percent, decimals) ?? 0n)
  return fromScaled((share + HUNDRED * unit - 1n) / (HUNDRED * unit), decimals)
}
