import type { Wire } from '@/api/client'

type Candle = Pick<Wire['Kline'], 'time' | 'open' | 'high' | 'low'>

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** The spans over which a product page shows the change, and the candles that tell it. */
export const spans = [
  { name: 'hour', ms: HOUR_MS, period: '1h' },
  { name: 'week', ms: 7 * DAY_MS, period: '1h' },
  { name: 'month', ms: 30 * DAY_MS, period: '1d' },
  { name: 'year', ms: 365 * DAY_MS, period: '1d' },
] as const

/**
 * The price at a moment: the open of the candle it falls into, or of the next one if the market was closed. Undefined
 * if the candles, which are oldest first, don't reach back that far.
 */
export function priceAt(candles: readonly Candle[], moment: number): string | undefined {
  const first = candles[0]
  if (!first || first.time > moment) return undefined
  const later = candles.findIndex(({ time }) => time > moment)
  const within = candles[later === -1 ? candles.length - 1 : later - 1]
  return within?.open
}

/** The lowest and the highest price of the candles; null without candles. */
export function rangeOf(candles: readonly Candle[]): { low: string; high: string } | null {
  const [first, ...rest] = candles
  if (!first) return null
  return rest.reduce(
    ({ low, high }, candle) => ({
      low: Number(candle.low) < Number(low) ? candle.low : low,
      high: Number(candle.high) > Number(high) ? candle.high : high,
    }),
    { low: first.low, high: first.high },
  )
}

/** Where a price lies in a range, from 0 at the low to 1 at the high. */
export function placeInRange(price: string, { low, high }: { low: string; high: string }): number {
  const width = Number(high) - Number(low)
  if (!(width > 0)) return 0.5
  return Math.min(1, Math.max(0, (Number(price) - Number(low)) / width))
}
