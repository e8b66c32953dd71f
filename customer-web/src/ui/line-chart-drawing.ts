/** Canvas pixels in one CSS pixel: lines stay fine when the browser zooms. */
export const CHART_SCALE = 4

export type Point = { x: number; y: number }

export type LineChartColors = { line: string; area: string; base: string }

/** Places the values on a canvas: oldest at the left, highest on top, with room for the line's width. */
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

/** The first `progress` (0 to 1) of the line, its last piece cut where it belongs. */
export function partOf(points: readonly Point[], progress: number): Point[] {
  if (progress >= 1 || points.length < 2) return [...points]
  const reach = progress * (points.length - 1)
  const whole = Math.floor(reach)
  const from = points[whole]
  const to = points[whole + 1]
  const part = points.slice(0, whole + 1)
  if (from && to) {
    const share = reach - whole
    part.push({ x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share })
  }
  return part
}

/** Draws the line up to `progress`, the tint below it, and a dashed line where it began. */
export function drawLine(
  context: CanvasRenderingContext2D,
  points: readonly Point[],
  progress: number,
  lineWidth: number,
  colors: LineChartColors,
): void {
  const { width, height } = context.canvas
  context.clearRect(0, 0, width, height)
  const part = partOf(points, progress)
  const first = part[0]
  const last = part.at(-1)
  if (!first || !last) return

  context.lineJoin = 'round'
  context.lineCap = 'round'
  context.strokeStyle = colors.base
  context.lineWidth = CHART_SCALE
  context.setLineDash([1.5 * CHART_SCALE, 2.5 * CHART_SCALE])
  context.beginPath()
  context.moveTo(0, first.y)
  context.lineTo(width, first.y)
  context.stroke()
  context.setLineDash([])

  context.beginPath()
  for (const { x, y } of part) context.lineTo(x, y)
  context.lineTo(last.x, height)
  context.lineTo(first.x, height)
  context.closePath()
  context.fillStyle = colors.area
  context.fill()

  context.beginPath()
  for (const { x, y } of part) context.lineTo(x, y)
  context.strokeStyle = colors.line
  context.lineWidth = lineWidth
  context.stroke()
}
