import { closed, corners, distance, moved } from './plane'
import type { Frame, Sketch, Spot } from './sketch'

const outline = (spots: Spot[]): Sketch => ({
  areas: [{ spots }],
  lines: [{ spots: closed(spots) }],
})

/** A rectangle between two opposite corners. */
export function rectangle({ spots: [a, b] }: Frame): Sketch {
  return a && b ? outline(corners(a, b)) : {}
}

/** A circle around the first anchor through the second. */
export function circle({ spots: [a, b] }: Frame): Sketch {
  return a && b ? { circles: [{ centre: a, radius: distance(a, b) }] } : {}
}

export function triangle({ spots: [a, b, c] }: Frame): Sketch {
  return a && b && c ? outline([a, b, c]) : {}
}

/** A parallelogram by three corners in a row; the fourth lies opposite the second. */
export function parallelogram({ spots: [a, b, c] }: Frame): Sketch {
  return a && b && c ? outline([a, b, c, moved(a, b, c)]) : {}
}
