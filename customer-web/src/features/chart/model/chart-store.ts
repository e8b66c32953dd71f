import { create } from 'zustand'
import { type Preferences, setPreferences, usePreferences } from '@/theme/preferences'
import type { Indicator } from './indicators'
import type { PeriodCode } from './periods'

type ChartSettings = { period: PeriodCode; averages: boolean }

const preferred = ({ chartPeriod, chartAverages }: Preferences): ChartSettings => ({
  period: chartPeriod,
  averages: chartAverages,
})

/** The settings of the chart on all screens. A shown trade sets another period until the trader chooses one. */
export const useChartSettings = create<ChartSettings>(() => preferred(usePreferences.getState()))

/** Changes the settings for this and later visits. */
export function chooseChartSettings(change: Partial<ChartSettings>): void {
  useChartSettings.setState(change)
  setPreferences({
    ...(change.period === undefined ? {} : { chartPeriod: change.period }),
    ...(change.averages === undefined ? {} : { chartAverages: change.averages }),
  })
}

usePreferences.subscribe((now, before) => {
  const changed =
    now.chartPeriod !== before.chartPeriod || now.chartAverages !== before.chartAverages
  if (changed) useChartSettings.setState(preferred(now))
})

/** The moving averages over the candles: exponential, 21 and 55 periods. */
export const AVERAGES: { name: Indicator; calcParams: number[] }[] = [
  { name: 'EMA', calcParams: [21, 55] },
]
