import { between, distance, rayEnd, yAt } from './plane'
import type { Frame, Sketch, Spot } from './sketch'

/** The levels of a retracement. */
export const RETRACEMENTS = [0, 0.236, 0.382, 0.5, 0.618, 0.786, 1]
/** The levels of an extension, which go beyond the move. */
export const EXTENSIONS = [...RETRACEMENTS, 1.272, 1.618, 2.618]
/** The numbers of candles of time zones, in units of the distance between the anchors. */
export const ZONES = [0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89]
/** The golden ratio, by which a golden spiral grows with each quarter turn. */
const GOLDEN = (1 + Math.sqrt(5)) / 2

const level = (ratio: number, price: number, { words }: Frame) =>
  `${words.ratio(ratio)} (${words.price(price)})`

/** Level lines from one x to another; `priceAt` is a level's price. */
function levels(
  ratios: readonly number[],
  from: number,
  to: number,
  priceAt: (ratio: number) => number,
  frame: Frame,
): Sketch {
  const left = Math.min(from, to)
  const right = Math.max(from, to)
  const rows = ratios.map((ratio) => ({ ratio, price: priceAt(ratio) }))
  return {
    lines: rows.map(({ price }) => {
      const y = frame.yOf(price)
      return {
        spots: [
          { x: left, y },
          { x: right, y },
        ],
      }
    }),
    labels: rows.map(({ ratio, price }) => ({
      at: { x: left, y: frame.yOf(price) },
      text: level(ratio, price, frame),
      side: 'above' as const,
    })),
  }
}

/** The parts of a move that a price may give back: 0 at its end, 1 at its beginning; across the pane. */
export function fibonacciLine(frame: Frame): Sketch {
  const [from, to] = frame.anchors
  if (!from || !to) return {}
  return levels(
    RETRACEMENTS,
    0,
    frame.width,
    (ratio) => to.price + (from.price - to.price) * ratio,
    frame,
  )
}

/** The same between its anchors, with the move. */
export function fibonacciSegment(frame: Frame): Sketch {
  const [from, to] = frame.anchors
  const [a, b] = frame.spots
  if (!from || !to || !a || !b) return {}
  const sketch = levels(
    RETRACEMENTS,
    a.x,
    b.x,
    (ratio) => to.price + (from.price - to.price) * ratio,
    frame,
  )
  return { ...sketch, lines: [...(sketch.lines ?? []), { spots: [a, b], dashed: true }] }
}

/** How far a price may go from the third anchor, in parts of the move between the first two. */
export function fibonacciExtension(frame: Frame): Sketch {
  const [first, second, third] = frame.anchors
  const [a, b, c] = frame.spots
  if (!first || !second || !third || !a || !b || !c) return {}
  const sketch = levels(
    EXTENSIONS,
    Math.min(a.x, b.x, c.x),
    Math.max(a.x, b.x, c.x),
    (ratio) => third.price + (second.price - first.price) * ratio,
    frame,
  )
  return { ...sketch, lines: [...(sketch.lines ?? []), { spots: [a, b, c], dashed: true }] }
}

/** Circles around the first anchor at the levels of the distance to the second. */
export function fibonacciCircle({ spots: [a, b], words }: Frame): Sketch {
  if (!a || !b) return {}
  const circles = RETRACEMENTS.slice(1).map((ratio) => ({ ratio, radius: distance(a, b) * ratio }))
  return {
    circles: circles.map(({ radius }) => ({ centre: a, radius })),
    lines: [{ spots: [a, b], dashed: true }],
    labels: circles.map(({ ratio, radius }) => ({
      at: { x: a.x, y: a.y + radius },
      text: words.ratio(ratio),
      side: 'below',
    })),
  }
}

/** Quarter turns of a spiral inside and outside its second anchor, and the spots of each. */
const TURNS_IN = 8
const TURNS_OUT = 4
const SPOTS_A_TURN = 12

/** A golden spiral around the first anchor through the second, turning clockwise on the screen as it grows. */
export function fibonacciSpiral({ spots: [a, b] }: Frame): Sketch {
  if (!a || !b) return {}
  const radius = distance(a, b)
  const start = Math.atan2(b.y - a.y, b.x - a.x)
  const spots: Spot[] = []
  for (let step = -TURNS_IN * SPOTS_A_TURN; step <= TURNS_OUT * SPOTS_A_TURN; step++) {
    const turns = step / SPOTS_A_TURN
    const angle = start + (turns * Math.PI) / 2
    const reach = radius * GOLDEN ** turns
    spots.push({ x: a.x + reach * Math.cos(angle), y: a.y + reach * Math.sin(angle) })
  }
  return { lines: [{ spots }, { spots: [a, b], dashed: true }] }
}

/** Rays from the first anchor through the levels of the price and of the time of the second, and the grid of these levels. */
export function fibonacciSpeedResistanceFan({
  spots: [a, b],
  width,
  height,
  words,
}: Frame): Sketch {
  if (!a || !b) return {}
  const parts = RETRACEMENTS.slice(1, -1)
  const onPrice = parts.map((part) => ({ x: b.x, y: between(a, b, part).y }))
  const onTime = parts.map((part) => ({ x: between(a, b, part).x, y: b.y }))
  return {
    lines: [
      ...[...onPrice, b, ...onTime].map((through) => ({
        spots: [a, rayEnd(a, through, width, height)],
      })),
      ...onPrice.map(({ y }) => ({
        spots: [
          { x: a.x, y },
          { x: b.x, y },
        ],
        dashed: true,
      })),
      ...onTime.map(({ x }) => ({
        spots: [
          { x, y: a.y },
          { x, y: b.y },
        ],
        dashed: true,
      })),
    ],
    labels: parts.flatMap((part, at) => [
      { at: onPrice[at] as Spot, text: words.ratio(part), side: b.x < a.x ? 'left' : 'right' },
      { at: onTime[at] as Spot, text: words.ratio(part), side: b.y < a.y ? 'above' : 'below' },
    ]),
  }
}

/** Vertical lines at Fibonacci's numbers of the distance between the anchors. */
export function fibTimeZone({ spots: [a, b], height }: Frame): Sketch {
  if (!a || !b) return {}
  const zones = ZONES.map((zone) => ({ zone, x: between(a, b, zone).x }))
  return {
    lines: zones.map(({ x }) => ({
      spots: [
        { x, y: 0 },
        { x, y: height },
      ],
    })),
    labels: zones.map(({ zone, x }) => ({
      at: { x, y: height },
      text: String(zone),
      side: 'right',
    })),
  }
}

/** The line through two anchors, and its parallels at the levels of the third one's distance, measured upright. */
export function fibChannel({ spots: [a, b, c], words }: Frame): Sketch {
  if (!a || !b || !c) return {}
  const height = c.y - yAt(a, b, c.x)
  const lines = [...RETRACEMENTS, 1.618].map((ratio) => ({
    ratio,
    spots: [a, b].map(({ x, y }) => ({ x, y: y + height * ratio })),
  }))
  return {
    lines: lines.map(({ spots }) => ({ spots })),
    labels: lines.map(({ ratio, spots }) => ({
      at: spots[0] as Spot,
      text: words.ratio(ratio),
      side: b.x < a.x ? 'right' : 'left',
    })),
  }
}
