import {
  andrewsPitchfork,
  flatTopBottom,
  regressionTrend,
  schiffPitchfork,
} from '../geometry/channels'
import {
  fibChannel,
  fibonacciCircle,
  fibonacciExtension,
  fibonacciLine,
  fibonacciSegment,
  fibonacciSpeedResistanceFan,
  fibonacciSpiral,
  fibTimeZone,
} from '../geometry/fibonacci'
import { gannBox, gannFan } from '../geometry/gann'
import { arrow, crossLine, infoLine } from '../geometry/lines'
import {
  abcd,
  anyWaves,
  eightWaves,
  fiveWaves,
  headAndShoulders,
  threeWaves,
  xabcd,
} from '../geometry/patterns'
import { circle, parallelogram, rectangle, triangle } from '../geometry/shapes'
import type { Sketcher } from '../geometry/sketch'
import { longPosition, measure, shortPosition } from '../geometry/trade'
import type { ToolKey } from './tools'

/** The tools that this app sketches. The others are the chart library's own. */
export const sketchers: Partial<Record<ToolKey, Sketcher>> = {
  arrow,
  crossLine,
  infoLine,
  flatTopBottom,
  regressionTrend,
  andrewsPitchfork,
  schiffPitchfork,
  fibonacciLine, // of the library too, which writes its prices in its own way
  fibonacciSegment,
  fibonacciExtension,
  fibonacciCircle,
  fibonacciSpiral,
  fibonacciSpeedResistanceFan,
  fibTimeZone,
  fibChannel,
  gannBox,
  gannFan,
  rect: rectangle,
  circle,
  triangle,
  parallelogram,
  abcd,
  xabcd,
  headAndShoulders,
  threeWaves,
  fiveWaves,
  eightWaves,
  anyWaves,
  longPosition,
  shortPosition,
  measure,
}
