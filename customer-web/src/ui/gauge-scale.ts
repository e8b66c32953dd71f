/** The gauge's left and right ends, in percent of margin level. */
const LOWEST = 25
const HIGHEST = 1000

/** The position of a margin level on the gauge, 0 to 1, on a logarithmic scale. */
export function gaugePosition(level: number): number {
  if (!(level > LOWEST)) return 0
  return Math.min(1, Math.log(level / LOWEST) / Math.log(HIGHEST / LOWEST))
}

/** The tone: good, near the margin call, or below it. */
export function gaugeTone(level: number, call: number): 'success' | 'warning' | 'error' {
  if (level < call) return 'error'
  return level < call * 1.5 ? 'warning' : 'success'
}
