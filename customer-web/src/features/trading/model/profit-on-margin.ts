import { toScaled } from '@/format/arithmetic'

/** A position's profit in percent of its margin; "0" without margin. */
export function profitOnMargin({ profit, margin }: { profit: string; margin: string }): string {
  const gain = toScaled(profit, 6)
  const base = toScaled(margin, 6)
  if (gain === null || base === null || base === 0n) return '0'
  return (Number((gain * 1_000_000n) / base) / 10_000).toFixed(4)
}
