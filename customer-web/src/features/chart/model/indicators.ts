/**
 * The indicators a chart may be asked for. The build leaves all others of the chart library out, see
 * scripts/lean-chart.ts: a new one has its line here.
 */
export const indicators = ['EMA', 'VOL'] as const

export type Indicator = (typeof indicators)[number]
