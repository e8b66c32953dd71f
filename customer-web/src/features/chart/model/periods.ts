import type { Period } from 'klinecharts'
import { type ChartPeriod, chartPeriods, DEFAULT_CHART_PERIOD } from '@/storage/entries'

export const PERIODS = chartPeriods

export type PeriodCode = ChartPeriod

export const DEFAULT_PERIOD = DEFAULT_CHART_PERIOD

const shapes: Record<PeriodCode, { chart: Period; seconds: number }> = {
  '1m': { chart: { type: 'minute', span: 1 }, seconds: 60 },
  '5m': { chart: { type: 'minute', span: 5 }, seconds: 300 },
  '15m': { chart: { type: 'minute', span: 15 }, seconds: 900 },
  '30m': { chart: { type: 'minute', span: 30 }, seconds: 1_800 },
  '1h': { chart: { type: 'hour', span: 1 }, seconds: 3_600 },
  '4h': { chart: { type: 'hour', span: 4 }, seconds: 14_400 },
  '1d': { chart: { type: 'day', span: 1 }, seconds: 86_400 },
  '1w': { chart: { type: 'week', span: 1 }, seconds: 604_800 },
}

export function isPeriod(text: string | null): text is PeriodCode {
  return PERIODS.some((code) => code === text)
}

export function chartPeriod(code: PeriodCode): Period {
  return shapes[code].chart
}

/** The bars between two moments fit a chart of this many, and no more than this many lie between the first and now. */
const BARS_SHOWN = 80
export const MOST_BARS_BACK = 5_000

/** The finest period that shows both moments at once and reaches back to the first from now, ms. */
export function periodShowing(first: number, last: number, now: number): PeriodCode {
  const fits = (code: PeriodCode) => {
    const width = candleLength(code)
    return last - first <= BARS_SHOWN * width && now - first <= MOST_BARS_BACK * width
  }
  return PERIODS.find(fits) ?? '1w'
}

/** The length of a candle, ms. */
export function candleLength(code: PeriodCode): number {
  return shapes[code].seconds * 1_000
}

/** Weeks start on Monday; the epoch began on a Thursday. */
const FIRST_MONDAY_MS = 4 * 86_400_000

/** The start of the candle that contains a moment, ms. Same rule as the server. */
export function candleStart(at: number, code: PeriodCode): number {
  const width = candleLength(code)
  const offset = code === '1w' ? FIRST_MONDAY_MS : 0
  return Math.floor((at - offset) / width) * width + offset
}
