import { lazy, memo, Suspense, useMemo } from 'react'
import type { DayLine } from '../api/day-lines'

// The line is drawn progressively anyway; rows need not wait for what draws it.
const LineChart = lazy(async () => ({ default: (await import('@/ui/line-chart')).LineChart }))

export type SparklineProps = {
  line: DayLine | undefined
  /** Falling lines have their own colour; it goes with the change shown beside. */
  falling: boolean
  /** Leaves the space empty: nobody has seen the row yet. */
  unseen?: boolean
  /** Stands there at once, without being drawn. */
  still?: boolean
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
  unseen = false,
  still = false,
  quiet = false,
  bare = false,
  width = 72,
  height = 28,
}: SparklineProps) {
  const values = line?.line
  // Numbers of the screen: nothing is calculated from them.
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
