/** Units of the drawing per CSS pixel: line widths are given in quarters of a pixel. */
export const CHART_SCALE = 4

export type Point = { x: number; y: number }

/** Places the values in a drawing: oldest on the left, highest on top, with room for the line width. */
export function placePoints(
  data: readonly number[],
  width: number,
  height: number,
  lineWidth: number,
): Point[] {
  const values = data.filter(Number.isFinite)
  if (values.length === 0) return []
  const low = Math.min(...values)
  const range = Math.max(...values) - low
  const room = lineWidth
  const innerHeight = Math.max(1, height - 2 * room)
  const innerWidth = Math.max(1, width - 2 * room)
  return values.map((value, index) => ({
    x: room + (values.length === 1 ? innerWidth : (innerWidth * index) / (values.length - 1)),
    y: range === 0 ? height / 2 : room + innerHeight * (1 - (value - low) / range),
  }))
}

const place = ({ x, y }: Point) => `${x.toFixed(1)} ${y.toFixed(1)}`

/** The line through all points as an SVG path; empty without points. */
export function linePath(points: readonly Point[]): string {
  return points.length === 0 ? '' : `M${points.map(place).join('L')}`
}

/** The area below the line, down to the height of the drawing. */
export function areaPath(points: readonly Point[], height: number): string {
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last) return ''
  return `${linePath(points)}V${height}H${first.x.toFixed(1)}Z`
}
