import { between, distance, middle } from './plane'
import type { Frame, Sketch, Spot } from './sketch'

/** The length of an arrow's head and half of its width, px; never more than a third of a short arrow. */
const HEAD = 14
const HALF_HEAD = 5

/** The head of an arrow that ends at `to`, as a triangle. */
export function arrowHead(from: Spot, to: Spot): Spot[] {
  const length = distance(from, to)
  if (length === 0) return []
  const head = Math.min(HEAD, length / 3)
  const foot = between(to, from, head / length)
  const half = (HALF_HEAD * head) / HEAD
  const across = { x: ((to.y - from.y) / length) * half, y: ((from.x - to.x) / length) * half }
  return [
    to,
    { x: foot.x + across.x, y: foot.y + across.y },
    { x: foot.x - across.x, y: foot.y - across.y },
  ]
}

/** A line with a head at its second anchor. */
export function arrow({ spots: [a, b] }: Frame): Sketch {
  if (!a || !b) return {}
  return { lines: [{ spots: [a, b] }], areas: [{ spots: arrowHead(a, b) }] }
}

/** A horizontal and a vertical line through one anchor. */
export function crossLine({ spots: [a], width, height }: Frame): Sketch {
  if (!a) return {}
  return {
    lines: [
      {
        spots: [
          { x: 0, y: a.y },
          { x: width, y: a.y },
        ],
      },
      {
        spots: [
          { x: a.x, y: 0 },
          { x: a.x, y: height },
        ],
      },
    ],
  }
}

/** The angle of a line on the screen in degrees, upwards positive. */
export const angleOf = (a: Spot, b: Spot): number =>
  (Math.atan2(a.y - b.y, b.x - a.x) * 180) / Math.PI

/** A line that tells the change of price, the candles and the angle between its anchors. */
export function infoLine({ spots: [a, b], anchors: [from, to], words }: Frame): Sketch {
  if (!a || !b || !from || !to) return {}
  const text = [
    words.change(from.price, to.price),
    words.candles(Math.abs(to.index - from.index)),
    words.angle(angleOf(a, b)),
  ].join(' · ')
  return {
    lines: [{ spots: [a, b] }],
    labels: [{ at: middle(a, b), text, side: b.y < a.y ? 'above' : 'below' }],
  }
}
