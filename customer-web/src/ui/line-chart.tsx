import { useLayoutEffect, useMemo, useRef } from 'react'
import { LINE_CHART_WIDTH } from '@/constants'
import { useReducedMotion } from '@/theme/use-media'
import { areaPath, CHART_SCALE, linePath, placePoints } from './line-chart-drawing'

export type LineChartProps = {
  /** Change in percent: zero or more uses the colour of up, less the colour of down. */
  rate: number
  /** Width of the line in quarters of a pixel. */
  lineWidth?: number
  /** Colours of the line and of the area below it; theme variables are allowed. */
  lineUpColor?: string
  lineDownColor?: string
  upBgColor?: string
  downBgColor?: string
  /** The values, oldest first. */
  data: readonly number[]
  /** Draws the line one pixel wide, whatever lineWidth says; for small charts in rows. */
  onePixel?: boolean
  /** Shows the whole line at once. */
  still?: boolean
  /** Size on screen in pixels. */
  width?: number
  height?: number
  className?: string | undefined
}

const DRAWING_TIME_MS = 600
const BASE = 'var(--border-strong)'
const DASHES = `${1.5 * CHART_SCALE} ${2.5 * CHART_SCALE}`

/**
 * A small price line without axes, animated when its data arrives; rows show it once they are visible. It is an
 * SVG, because browsers keep a layer for each canvas and a list has many charts.
 */
export function LineChart({
  rate,
  lineWidth = LINE_CHART_WIDTH,
  lineUpColor = 'var(--up)',
  lineDownColor = 'var(--down)',
  upBgColor = 'var(--up-soft)',
  downBgColor = 'var(--down-soft)',
  data,
  onePixel = false,
  still = false,
  width = 72,
  height = 28,
  className,
}: LineChartProps) {
  const rising = rate >= 0
  const pixels = onePixel ? CHART_SCALE : lineWidth
  const points = useMemo(
    () => placePoints(data, width * CHART_SCALE, height * CHART_SCALE, pixels),
    [data, width, height, pixels],
  )
  const area = useRef<SVGPathElement>(null)
  const line = useRef<SVGPathElement>(null)
  const bottom = height * CHART_SCALE
  useDrawing(line, area, points.length > 0, still)
  const [first] = points
  return (
    <svg
      className={className}
      viewBox={`0 0 ${width * CHART_SCALE} ${bottom}`}
      style={{ inlineSize: width, blockSize: height, display: 'block', flex: 'none' }}
      fill="none"
      strokeLinejoin="round"
      strokeLinecap="round"
      aria-hidden
    >
      {first && (
        <>
          <path
            d={`M0 ${first.y.toFixed(1)}H${width * CHART_SCALE}`}
            style={{ stroke: BASE, strokeWidth: CHART_SCALE, strokeDasharray: DASHES }}
          />
          <path
            ref={area}
            d={areaPath(points, bottom)}
            style={{ fill: rising ? upBgColor : downBgColor }}
          />
          <path
            ref={line}
            pathLength={1}
            d={linePath(points)}
            style={{ stroke: rising ? lineUpColor : lineDownColor, strokeWidth: pixels }}
          />
        </>
      )}
    </svg>
  )
}

type Path = { current: SVGPathElement | null }

/**
 * Animates the line from its start, once; not if less motion is preferred. Nothing changes its size meanwhile, so
 * the page is not laid out again.
 */
function useDrawing(line: Path, area: Path, filled: boolean, still: boolean): void {
  const reduced = useReducedMotion()
  const drawn = useRef(false)
  useLayoutEffect(() => {
    if (!filled || drawn.current) return
    drawn.current = true
    if (reduced || still) return
    const options = { duration: DRAWING_TIME_MS }
    const whole = { strokeDasharray: ['1', '1'], strokeDashoffset: [1, 0] }
    line.current?.animate?.(whole, options)
    area.current?.animate?.({ fillOpacity: [0, 1] }, options)
  }, [line, area, filled, reduced, still])
}
