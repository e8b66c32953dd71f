/**
 * The indicators the chart may use. The build drops all others of the chart library (scripts/lean-chart.ts), so a
 * new one needs an entry here.
 */
export const indicators = ['EMA', 'VOL'] as const

export type Indicator = (typeof indicators)[number]
