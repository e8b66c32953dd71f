import { between, closed, corners, rayEnd } from './plane'
import type { Frame, Sketch } from './sketch'

/** The levels of a box, of price and of time. */
export const BOX_LEVELS = [0, 0.25, 0.382, 0.5, 0.618, 0.75, 1]

/** A box between two anchors with the levels of its price and of its time, and its diagonals. */
export function gannBox({ spots: [a, b], words }: Frame): Sketch {
  if (!a || !b) return {}
  const [topLeft, topRight, bottomRight, bottomLeft] = corners(a, b)
  const inner = BOX_LEVELS.slice(1, -1).map((part) => ({ part, ...between(a, b, part) }))
  return {
    areas: [{ spots: [topLeft, topRight, bottomRight, bottomLeft] }],
    lines: [
      { spots: closed([topLeft, topRight, bottomRight, bottomLeft]) },
      ...inner.flatMap(({ x, y }) => [
        {
          spots: [
            { x: a.x, y },
            { x: b.x, y },
          ],
        },
        {
          spots: [
            { x, y: a.y },
            { x, y: b.y },
          ],
        },
      ]),
      { spots: [topLeft, bottomRight], dashed: true },
      { spots: [bottomLeft, topRight], dashed: true },
    ],
    labels: inner.flatMap(({ part, x, y }) => [
      { at: { x: topLeft.x, y }, text: words.ratio(part), side: 'left' as const },
      { at: { x, y: bottomLeft.y }, text: words.ratio(part), side: 'below' as const },
    ]),
  }
}

/** The angles of a fan: how many steps of price go with how many steps of time. */
export const FAN = [
  [1, 8],
  [1, 4],
  [1, 3],
  [1, 2],
  [1, 1],
  [2, 1],
  [3, 1],
  [4, 1],
  [8, 1],
] as const

/** Rays from the first anchor; the one through the second is 1/1, and the others are as many times as steep. */
export function gannFan({ spots: [a, b], width, height }: Frame): Sketch {
  if (!a || !b) return {}
  const rays = FAN.map(([price, time]) => {
    const through = {
      x: a.x + (b.x - a.x) * Math.min(1, time / price),
      y: a.y + (b.y - a.y) * Math.min(1, price / time),
    }
    return { name: `${price}/${time}`, through }
  })
  return {
    lines: rays.map(({ through }) => ({ spots: [a, rayEnd(a, through, width, height)] })),
    labels: rays.map(({ name, through }) => ({
      at: through,
      text: name,
      side: b.y < a.y ? 'above' : 'below',
    })),
  }
}
