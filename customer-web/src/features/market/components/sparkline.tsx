import { lazy, memo, Suspense, useMemo } from 'react'
import type { DayLine } from '../api/day-lines'

// The line is drawn progressively anyway, so rows don't wait for its code.
const LineChart = lazy(async () => ({ default: (await import('@/ui/line-chart')).LineChart }))

export type SparklineProps = {
  line: DayLine | undefined
  /** Falling lines have their own colour, which matches the change beside them. */
  falling: boolean
  /** Leaves the space empty until the row has been visible. */
  unseen?: boolean
  /** Draws the line at once, without animation. */
  still?: boolean
  /** Grey, because there is no current price. */
  quiet?: boolean
  /** Omits the tint below, for very small charts. */
  bare?: boolean
  width?: number
  height?: number
}

const grey = { lineUpColor: 'var(--stale)', lineDownColor: 'var(--stale)' }
const noTint = { upBgColor: 'transparent', downBgColor: 'transparent' }

/** A product's last 24 hours as a small chart. Its space is reserved before the line is loaded. */
export const Sparkline = memo(function Sparkline({
  line,
  falling,
  unseen = false,
  still = false,
  quiet = false,
  bare = false,
  width = 72,
  height = 28,
}: SparklineProps) {
  const values = line?.line
  // For display only; nothing is calculated from these numbers.
  const data = useMemo(() => values?.map(Number) ?? [], [values])
  const space = <span style={{ inlineSize: width, blockSize: height }} />
  if (unseen) return space
  return (
    <Suspense fallback={space}>
      <LineChart
        rate={falling ? -1 : 1}
        data={data}
        onePixel
        still={still}
        width={width}
        height={height}
        {...(quiet ? grey : {})}
        {...(quiet || bare ? noTint : {})}
      />
    </Suspense>
  )
})
