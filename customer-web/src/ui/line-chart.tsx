import { useEffect, useRef } from 'react'
import { ANIMATION_FALLBACK_MS, LINE_CHART_WIDTH, VISIBILITY_THRESHOLD } from '@/constants'
import { useLanguage } from '@/i18n/use-language'
import { usePreferences } from '@/theme/preferences'
import { useMedia, useReducedMotion } from '@/theme/use-media'
import { CHART_SCALE, drawLine, placePoints } from './line-chart-drawing'

export type LineChartProps = {
  /** Change in percent: zero or more draws in the colour of up, less in the colour of down. */
  rate: number
  /** Width of the line in quarters of a pixel. */
  lineWidth?: number
  /** Colours of the line and of the ground below it; variables of the theme are welcome. */
  lineUpColor?: string
  lineDownColor?: string
  upBgColor?: string
  downBgColor?: string
  /** The values, oldest first. */
  data: readonly number[]
  /** Draws the line one pixel wide, whatever lineWidth says: for small charts in rows. */
  onePixel?: boolean
  /** Size on screen in pixels. */
  width?: number
  height?: number
  className?: string | undefined
}

const DRAWING_TIME_MS = 600

/** A small price line without axes, drawn progressively the first time it comes on screen. */
export function LineChart({
  rate,
  lineWidth = LINE_CHART_WIDTH,
  lineUpColor = 'var(--up)',
  lineDownColor = 'var(--down)',
  upBgColor = 'var(--up-soft)',
  downBgColor = 'var(--down-soft)',
  data,
  onePixel = false,
  width = 72,
  height = 28,
  className,
}: LineChartProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const drawn = useRef(false)
  const reduced = useReducedMotion()
  const rising = rate >= 0
  const line = rising ? lineUpColor : lineDownColor
  const area = rising ? upBgColor : downBgColor
  const pixels = onePixel ? CHART_SCALE : lineWidth
  const look = useLook()

  // biome-ignore lint/correctness/useExhaustiveDependencies: `look` stands for the variables the colours are read from
  useEffect(() => {
    const element = canvas.current
    const context = element?.getContext('2d')
    if (!element || !context) return
    const points = placePoints(data, element.width, element.height, pixels)
    const colors = {
      line: resolveColor(element, line),
      area: resolveColor(element, area),
      base: resolveColor(element, 'var(--border-strong)'),
    }
    const draw = (progress: number) => drawLine(context, points, progress, pixels, colors)

    if (reduced || drawn.current) {
      drawn.current = true
      draw(1)
      return
    }
    return onceVisible(element, () => {
      drawn.current = true
      return animate(draw)
    })
  }, [data, line, area, pixels, reduced, width, height, look])

  return (
    <canvas
      ref={canvas}
      className={className}
      width={width * CHART_SCALE}
      height={height * CHART_SCALE}
      style={{ inlineSize: width, blockSize: height, display: 'block', flex: 'none' }}
      aria-hidden
    />
  )
}

/** Changes whenever the variables of the theme may have changed. */
function useLook(): string {
  const { themeMode, direction } = usePreferences()
  const { code } = useLanguage()
  const deviceIsLight = useMedia('(prefers-color-scheme: light)')
  return `${themeMode} ${direction} ${code} ${deviceIsLight}`
}

/** A canvas knows no variables: reads what `var(--name)` stands for at this element. */
function resolveColor(element: HTMLElement, color: string): string {
  const name = /^var\((--[\w-]+)\)$/.exec(color)?.[1]
  return name ? getComputedStyle(element).getPropertyValue(name).trim() : color
}

/** Runs `start` when the element comes on screen; returns the way to stop all of it. */
function onceVisible(element: HTMLElement, start: () => () => void): () => void {
  if (typeof IntersectionObserver === 'undefined') return start()
  let stop = () => {}
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return
      observer.disconnect()
      stop = start()
    },
    { threshold: VISIBILITY_THRESHOLD },
  )
  observer.observe(element)
  return () => {
    observer.disconnect()
    stop()
  }
}

/** Calls `draw` with 0 to 1 over the drawing time; returns the way to stop, which draws the rest. */
function animate(draw: (progress: number) => void): () => void {
  const started = performance.now()
  let next = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let done = false
  const step = () => {
    const progress = Math.min(1, (performance.now() - started) / DRAWING_TIME_MS)
    done = progress === 1
    draw(progress)
    if (!done) schedule()
  }
  const schedule = () => {
    if (typeof requestAnimationFrame === 'function') next = requestAnimationFrame(step)
    else timer = setTimeout(step, ANIMATION_FALLBACK_MS)
  }
  schedule()
  return () => {
    if (next) cancelAnimationFrame(next)
    clearTimeout(timer)
    if (!done) draw(1)
  }
}
