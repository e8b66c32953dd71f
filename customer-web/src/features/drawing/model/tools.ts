/** The groups of drawing tools, in the order of the rail. */
export const groups = [
  'lines',
  'channels',
  'fibonacci',
  'gann',
  'shapes',
  'patterns',
  'waves',
  'trade',
  'notes',
] as const
export type Group = (typeof groups)[number]

/** How many anchors a tool has: a number, as many as the trader places, or a stroke of the pointer. */
export type AnchorCount = number | 'many' | 'stroke'

export type Tool = { key: string; group: Group; anchors: AnchorCount }

const tool = <Key extends string>(key: Key, group: Group, anchors: AnchorCount) => ({
  key,
  group,
  anchors,
})

/** The 46 drawing tools by group, in the order of the menus. */
export const tools = [
  tool('segment', 'lines', 2),
  tool('rayLine', 'lines', 2),
  tool('straightLine', 'lines', 2),
  tool('arrow', 'lines', 2),
  tool('horizontalStraightLine', 'lines', 1),
  tool('horizontalRayLine', 'lines', 2),
  tool('horizontalSegment', 'lines', 2),
  tool('verticalStraightLine', 'lines', 1),
  tool('verticalRayLine', 'lines', 2),
  tool('verticalSegment', 'lines', 2),
  tool('priceLine', 'lines', 1),
  tool('crossLine', 'lines', 1),
  tool('infoLine', 'lines', 2),
  tool('parallelStraightLine', 'channels', 3),
  tool('priceChannelLine', 'channels', 3),
  tool('flatTopBottom', 'channels', 3),
  tool('regressionTrend', 'channels', 2),
  tool('andrewsPitchfork', 'channels', 3),
  tool('schiffPitchfork', 'channels', 3),
  tool('fibonacciLine', 'fibonacci', 2),
  tool('fibonacciSegment', 'fibonacci', 2),
  tool('fibonacciExtension', 'fibonacci', 3),
  tool('fibonacciCircle', 'fibonacci', 2),
  tool('fibonacciSpiral', 'fibonacci', 2),
  tool('fibonacciSpeedResistanceFan', 'fibonacci', 2),
  tool('fibTimeZone', 'fibonacci', 2),
  tool('fibChannel', 'fibonacci', 3),
  tool('gannBox', 'gann', 2),
  tool('gannFan', 'gann', 2),
  tool('rect', 'shapes', 2),
  tool('circle', 'shapes', 2),
  tool('triangle', 'shapes', 3),
  tool('parallelogram', 'shapes', 3),
  tool('abcd', 'patterns', 4),
  tool('xabcd', 'patterns', 5),
  tool('headAndShoulders', 'patterns', 7),
  tool('threeWaves', 'waves', 4),
  tool('fiveWaves', 'waves', 6),
  tool('eightWaves', 'waves', 9),
  tool('anyWaves', 'waves', 'many'),
  tool('longPosition', 'trade', 3),
  tool('shortPosition', 'trade', 3),
  tool('measure', 'trade', 2),
  tool('brush', 'notes', 'stroke'),
  tool('simpleAnnotation', 'notes', 1),
  tool('simpleTag', 'notes', 1),
] as const

export type ToolKey = (typeof tools)[number]['key']
