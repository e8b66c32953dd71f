import { lazy, memo, Suspense, useMemo } from 'react'
import type { DayLine } from '../api/day-lines'

// The line is drawn progressively anyway; rows need not wait for what draws it.
const LineChart = lazy(async () => ({ default: (await import('@/ui/line-chart')).LineChart }))

export type SparklineProps = {
  line: DayLine | undefined
  /** Falling lines have their own colour; it goes with the change shown beside. */
  falling: boolean
  /** Grey: no price of now belongs to it. */
  quiet?: boolean
  /** Without the tint below, where it is very small. */
  bare?: boolean
  width?: number
  height?: number
}

const grey = { lineUpColor: 'var(--stale)', lineDownColor: 'var(--stale)' }
const noTint = { upBgColor: 'transparent', downBgColor: 'transparent' }

/** A product's last 24 hours, small. Its space is there before the line is. */
export const Sparkline = memo(function Sparkline({
  line,
  falling,
  quiet = false,
  bare = false,
  width = 72,
  height = 28,
}: SparklineProps) {
  const values = line?.line
  // Numbers of the screen: nothing is calculated from them.
  const data = useMemo(() => values?.map(Number) ?? [], [values])
  return (
    <Suspense fallback={<span style={{ inlineSize: width, blockSize: height }} />}>
      <LineChart
        rate={falling ? -1 : 1}
        data={data}
        onePixel
        width={width}
        height={height}
        {...(quiet ? grey : {})}
        {...(quiet || bare ? noTint : {})}
      />
    </Suspense>
  )
})
