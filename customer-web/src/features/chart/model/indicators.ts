/** The indicators that the chart may use. */
export const indicators = ['EMA', 'VOL'] as const

export type Indicator = (typeof indicators)[number]
