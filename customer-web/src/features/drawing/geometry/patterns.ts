import { middle, yAt } from './plane'
import type { Anchor, Frame, Label, Sketch, Spot } from './sketch'

/** Whether an anchor is a top among its neighbours: its name stands above it then. */
function isTop(spots: readonly Spot[], at: number): boolean {
  const y = spots[at]?.y ?? 0
  const near = [spots[at - 1], spots[at + 1]].filter((one) => one !== undefined)
  return near.every((one) => y <= one.y)
}

/** A line through all anchors, each with its name. */
function named(
  spots: readonly Spot[],
  names: readonly string[],
): Required<Pick<Sketch, 'lines' | 'labels'>> {
  return {
    lines: [{ spots: [...spots] }],
    labels: spots.map((at, index) => ({
      at,
      text: names[index] ?? '',
      side: isTop(spots, index) ? 'above' : 'below',
    })),
  }
}

/** How large one move is to another, as prices; null when that one is none. */
export function moveRatio(
  move: readonly [Anchor, Anchor],
  to: readonly [Anchor, Anchor],
): number | null {
  const whole = Math.abs(to[1].price - to[0].price)
  return whole === 0 ? null : Math.abs(move[1].price - move[0].price) / whole
}

/** A dashed line between two anchors with the ratio of two moves at its middle. */
function compared(frame: Frame, from: number, to: number, ratio: number | null): Sketch {
  const [a, b] = [frame.spots[from], frame.spots[to]]
  if (!a || !b) return {}
  const labels: Label[] =
    ratio === null ? [] : [{ at: middle(a, b), text: frame.words.ratio(ratio), side: 'over' }]
  return { lines: [{ spots: [a, b], dashed: true }], labels }
}

const joined = (...all: Sketch[]): Sketch => ({
  areas: all.flatMap(({ areas = [] }) => areas),
  lines: all.flatMap(({ lines = [] }) => lines),
  labels: all.flatMap(({ labels = [] }) => labels),
})

/** Four anchors, with the retracement BC ÷ AB and the extension CD ÷ BC. */
export function abcd(frame: Frame): Sketch {
  const [a, b, c, d] = frame.anchors
  if (!a || !b || !c || !d) return {}
  return joined(
    named(frame.spots, ['A', 'B', 'C', 'D']),
    compared(frame, 0, 2, moveRatio([b, c], [a, b])),
    compared(frame, 1, 3, moveRatio([c, d], [b, c])),
  )
}

/** Five anchors, with the ratios AB ÷ XA, BC ÷ AB, CD ÷ BC and AD ÷ XA by which harmonic patterns are told apart. */
export function xabcd(frame: Frame): Sketch {
  const [x, a, b, c, d] = frame.anchors
  const [sx, sa, sb, sc, sd] = frame.spots
  if (!x || !a || !b || !c || !d || !sx || !sa || !sb || !sc || !sd) return {}
  return joined(
    { areas: [{ spots: [sx, sa, sb] }, { spots: [sb, sc, sd] }] },
    named(frame.spots, ['X', 'A', 'B', 'C', 'D']),
    compared(frame, 0, 2, moveRatio([a, b], [x, a])),
    compared(frame, 1, 3, moveRatio([b, c], [a, b])),
    compared(frame, 2, 4, moveRatio([c, d], [b, c])),
    compared(frame, 0, 4, moveRatio([a, d], [x, a])),
  )
}

/** Seven anchors: start, left shoulder, neck, head, neck, right shoulder, end. The neckline goes through both necks as far as the first and the last leg. */
export function headAndShoulders(frame: Frame): Sketch {
  const { spots } = frame
  const [start, left, neck, head, neckAfter, right, end] = spots
  if (!start || !left || !neck || !head || !neckAfter || !right || !end) return {}
  const at = (x: number): Spot => ({ x, y: yAt(neck, neckAfter, x) })
  const first = meeting(start, left, neck, neckAfter) ?? at(start.x)
  const last = meeting(right, end, neck, neckAfter) ?? at(end.x)
  return joined(
    {
      areas: [
        { spots: [first, left, neck] },
        { spots: [neck, head, neckAfter] },
        { spots: [neckAfter, right, last] },
      ],
    },
    { lines: [{ spots: [...spots] }, { spots: [first, last], dashed: true }] },
    {
      labels: [1, 3, 5].map((index) => ({
        at: spots[index] as Spot,
        text: ['L', 'H', 'R'][(index - 1) / 2] ?? '',
        side: isTop(spots, index) ? 'above' : 'below',
      })),
    },
  )
}

/** Where the leg from `a` to `b` meets the line through `c` and `d`; null when it doesn't. */
export function meeting(a: Spot, b: Spot, c: Spot, d: Spot): Spot | null {
  const leg = { x: b.x - a.x, y: b.y - a.y }
  const line = { x: d.x - c.x, y: d.y - c.y }
  const cross = leg.x * line.y - leg.y * line.x
  if (cross === 0) return null
  const part = ((c.x - a.x) * line.y - (c.y - a.y) * line.x) / cross
  return part < 0 || part > 1 ? null : { x: a.x + leg.x * part, y: a.y + leg.y * part }
}

const waves =
  (names: readonly string[]) =>
  (frame: Frame): Sketch =>
    named(frame.spots, names)

/** A correction: 0, A, B, C. */
export const threeWaves = waves(['0', 'A', 'B', 'C'])
/** An impulse: 0 to 5. */
export const fiveWaves = waves(['0', '1', '2', '3', '4', '5'])
/** An impulse and its correction. */
export const eightWaves = waves(['0', '1', '2', '3', '4', '5', 'A', 'B', 'C'])
/** As many waves as there are anchors. */
export const anyWaves = (frame: Frame): Sketch =>
  named(
    frame.spots,
    frame.spots.map((_, index) => String(index)),
  )
