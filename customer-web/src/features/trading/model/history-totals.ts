import type { Wire } from '@/api/client'
import { fromScaled, toScaled } from '@/format/arithmetic'

const SCALE = 6

export type HistoryTotals = { profit: string; commission: string; swap: string; net: string }

/** The totals of closed positions; net is after commission, swap and dividends. */
export function totalsOf(
  positions: readonly Pick<Wire['Position'], 'profit' | 'commission' | 'swap' | 'dividends'>[],
): HistoryTotals {
  const sum = (pick: (one: (typeof positions)[number]) => string) =>
    positions.reduce((total, one) => total + (toScaled(pick(one), SCALE) ?? 0n), 0n)
  const profit = sum((one) => one.profit)
  const commission = sum((one) => one.commission)
  const swap = sum((one) => one.swap)
  const dividends = sum((one) => one.dividends)
  const text = (scaled: bigint) => fromScaled(scaled, SCALE)
  return {
    profit: text(profit),
    commission: text(commission),
    swap: text(swap),
    net: text(profit - commission + swap + dividends),
  }
}

/** The sums of a list up to each of its values, from zero on. */
export function runningTotals(values: readonly string[]): string[] {
  let sum = 0n
  const sums = values.map((value) => {
    sum += toScaled(value, SCALE) ?? 0n
    return fromScaled(sum, SCALE)
  })
  return ['0', ...sums]
}
