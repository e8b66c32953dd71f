import { middle, moved, rayEnd } from './plane'
import type { Close, Frame, Sketch, Spot } from './sketch'

/** A sloping line between the first two anchors, and a flat one at the third one's price. */
export function flatTopBottom({ spots: [a, b, c] }: Frame): Sketch {
  if (!a || !b || !c) return {}
  const flat = [
    { x: a.x, y: c.y },
    { x: b.x, y: c.y },
  ] as const
  return {
    lines: [{ spots: [a, b] }, { spots: [...flat] }],
    areas: [{ spots: [a, b, flat[1], flat[0]] }],
  }
}

/** How many standard deviations the outer lines of a regression lie from it. */
const DEVIATIONS = 2

export type Regression = {
  /** The fitted close at the first and at the last candle. */
  first: number
  last: number
  /** The standard deviation of the closes from the line, over their number. */
  deviation: number
  /** Pearson's correlation of close and candle; 0 when all closes are the same. */
  correlation: number
}

/** The straight line with the least squares of distances to some closes, one candle apart; null for fewer than two. */
export function regressionOf(closes: readonly number[]): Regression | null {
  const n = closes.length
  if (n < 2) return null
  const meanX = (n - 1) / 2
  const meanY = closes.reduce((sum, close) => sum + close, 0) / n
  let xx = 0
  let xy = 0
  let yy = 0
  for (const [x, close] of closes.entries()) {
    xx += (x - meanX) ** 2
    xy += (x - meanX) * (close - meanY)
    yy += (close - meanY) ** 2
  }
  const slope = xy / xx
  const squares = Math.max(0, yy - slope * xy)
  return {
    first: meanY - slope * meanX,
    last: meanY + slope * meanX,
    deviation: Math.sqrt(squares / n),
    correlation: yy === 0 ? 0 : xy / Math.sqrt(xx * yy),
  }
}

/** The regression of the closes between two anchors, with a line at two standard deviations on each side. */
export function regressionTrend({ anchors: [from, to], closes, yOf, words }: Frame): Sketch {
  if (!from || !to) return {}
  const between = closes(Math.min(from.index, to.index), Math.max(from.index, to.index))
  const fit = regressionOf(between.map(({ close }) => close))
  const [first, last] = [between[0], between.at(-1)] as [Close?, Close?]
  if (!fit || !first || !last) return {}
  const line = (deviations: number): Spot[] => [
    { x: first.x, y: yOf(fit.first + deviations * fit.deviation) },
    { x: last.x, y: yOf(fit.last + deviations * fit.deviation) },
  ]
  const upper = line(DEVIATIONS)
  const lower = line(-DEVIATIONS)
  return {
    areas: [{ spots: [...upper, ...lower.toReversed()] }],
    lines: [{ spots: upper }, { spots: line(0), dashed: true }, { spots: lower }],
    labels: [
      {
        at: { x: first.x, y: Math.max(...lower.map(({ y }) => y)) },
        text: `R ${words.ratio(fit.correlation)}`,
        side: 'below',
      },
    ],
  }
}

/** A median line from a handle through the middle of two anchors, and its parallels through both. */
function pitchfork(handle: Spot, b: Spot, c: Spot, { width, height }: Frame): Sketch {
  const centre = middle(b, c)
  const prong = (from: Spot): Spot[] => [
    from,
    rayEnd(from, moved(from, handle, centre), width, height),
  ]
  return {
    lines: [
      { spots: [handle, ...prong(centre)] },
      { spots: prong(b) },
      { spots: prong(c) },
      { spots: [b, c] },
    ],
  }
}

/** Andrews' pitchfork: the handle is the first anchor. */
export function andrewsPitchfork(frame: Frame): Sketch {
  const [a, b, c] = frame.spots
  return a && b && c ? pitchfork(a, b, c, frame) : {}
}

/** Schiff's pitchfork: the handle lies halfway between the prices of the first two anchors, at the time of the first. */
export function schiffPitchfork(frame: Frame): Sketch {
  const [a, b, c] = frame.spots
  if (!a || !b || !c) return {}
  const handle = { x: a.x, y: (a.y + b.y) / 2 }
  const sketch = pitchfork(handle, b, c, frame)
  return { ...sketch, lines: [...(sketch.lines ?? []), { spots: [a, handle], dashed: true }] }
}
