import { memo, useMemo } from 'react'
import { LineChart } from '@/ui/line-chart'
import type { DayLine } from '../api/day-lines'

export type SparklineProps = {
  line: DayLine | undefined
  /** Falling lines have their own colour; it goes with the change shown beside. */
  falling: boolean
  /** Grey: no price of now belongs to it. */
  quiet?: boolean
  width?: number
  height?: number
}

/** A product's last 24 hours, small. Its space is there before the line is. */
export const Sparkline = memo(function Sparkline({
  line,
  falling,
  quiet = false,
  width = 72,
  height = 28,
}: SparklineProps) {
  const values = line?.line
  // Numbers of the screen: nothing is calculated from them.
  const data = useMemo(() => values?.map(Number) ?? [], [values])
  const colors = quiet
    ? {
        lineUpColor: 'var(--stale)',
        lineDownColor: 'var(--stale)',
        upBgColor: 'transparent',
        downBgColor: 'transparent',
      }
    : {}
  return (
    <LineChart
      rate={falling ? -1 : 1}
      data={data}
      onePixel
      width={width}
      height={height}
      {...colors}
    />
  )
})
