import { create } from 'zustand'
import type { Indicator } from './indicators'
import { DEFAULT_PERIOD, type PeriodCode } from './periods'

/** The chart settings, shared by all screens of a visit. */
export const useChartSettings = create<{ period: PeriodCode; averages: boolean }>(() => ({
  period: DEFAULT_PERIOD,
  averages: true,
}))

/** The moving averages over the candles: exponential, 21 and 55 periods. */
export const AVERAGES: { name: Indicator; calcParams: number[] }[] = [
  { name: 'EMA', calcParams: [21, 55] },
]
