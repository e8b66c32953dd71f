import type { Spot } from './sketch'

/** The spot on the line through two others: `a` at 0, `b` at 1. */
export const between = (a: Spot, b: Spot, part: number): Spot => ({
  x: a.x + (b.x - a.x) * part,
  y: a.y + (b.y - a.y) * part,
})

export const middle = (a: Spot, b: Spot): Spot => between(a, b, 0.5)

/** The spot moved as far as `b` lies from `a`. */
export const moved = (spot: Spot, a: Spot, b: Spot): Spot => ({
  x: spot.x + b.x - a.x,
  y: spot.y + b.y - a.y,
})

export const distance = (a: Spot, b: Spot): number => Math.hypot(b.x - a.x, b.y - a.y)

/** The y of the line through two spots at an x; the mean of both where the line is vertical. */
export function yAt(a: Spot, b: Spot, x: number): number {
  if (a.x === b.x) return (a.y + b.y) / 2
  return a.y + ((b.y - a.y) * (x - a.x)) / (b.x - a.x)
}

/** The end of the ray from `a` through `b` at the edge of a pane, or beyond it where `a` lies outside. */
export function rayEnd(a: Spot, b: Spot, width: number, height: number): Spot {
  const x = part(a.x, b.x, width)
  const y = part(a.y, b.y, height)
  const reach = Math.max(1, Math.min(x, y))
  return Number.isFinite(reach) ? between(a, b, reach) : b
}

/** How many times the step from `from` to `to` fits until an edge of 0..size; Infinity without a step. */
function part(from: number, to: number, size: number): number {
  if (to === from) return Number.POSITIVE_INFINITY
  return ((to > from ? size : 0) - from) / (to - from)
}

/** The corners of a rectangle with two opposite ones, clockwise on the screen from the top left. */
export function corners(a: Spot, b: Spot): [Spot, Spot, Spot, Spot] {
  const left = Math.min(a.x, b.x)
  const right = Math.max(a.x, b.x)
  const top = Math.min(a.y, b.y)
  const bottom = Math.max(a.y, b.y)
  return [
    { x: left, y: top },
    { x: right, y: top },
    { x: right, y: bottom },
    { x: left, y: bottom },
  ]
}

/** The same outline, closed. */
export const closed = (spots: readonly Spot[]): Spot[] => [...spots, ...spots.slice(0, 1)]
