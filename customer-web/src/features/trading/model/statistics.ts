import type { Wire } from '@/api/client'
import { fromScaled, toScaled } from '@/format/arithmetic'

const SCALE = 6

/** The floating profit or loss in percent of the account's value without it; null if that value is zero. */
export function floatingPercent({
  netValue,
  totalProfit,
}: Pick<Wire['Statistics'], 'netValue' | 'totalProfit'>): string | null {
  const equity = toScaled(netValue, SCALE)
  const profit = toScaled(totalProfit, SCALE)
  if (equity === null || profit === null || equity - profit <= 0n) return null
  return fromScaled((profit * 1_000_000n) / (equity - profit), 4)
}
