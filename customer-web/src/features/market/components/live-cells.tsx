import { useState } from 'react'
import { formatPrice } from '@/format/price'
import { ChangeText } from '@/ui/change-text'
import { Num } from '@/ui/num'
import { PriceText } from '@/ui/price-text'
import { TimeText } from '@/ui/time-text'
import type { DayLine } from '../api/day-lines'
import {
  bidOf,
  changeOf,
  highOf,
  type LiveRow,
  liveAsk,
  liveBid,
  lowOf,
  spreadOf,
  timeOf,
  useRowFigure,
} from '../model/live-row'
import { DistanceValue } from './distance-value'
import { Flash } from './flash'
import { RangeBar } from './range-bar'
import { Sparkline, type SparklineProps } from './sparkline'

export type LiveCellProps = { row: LiveRow }

export type LivePriceProps = LiveCellProps & {
  side: 'bid' | 'ask'
  /** A class for the last two digits, which are then drawn larger. */
  large?: string | undefined
}

/** The price of one side; flashes on change. */
export function LivePrice({ row, side, large }: LivePriceProps) {
  const live = useRowFigure(row, side === 'bid' ? liveBid : liveAsk)
  const { point, sellPrice, buyPrice } = row.product
  const price = live ?? (side === 'bid' ? sellPrice : buyPrice)
  return (
    <Flash price={live}>
      {large === undefined ? (
        <Num>{formatPrice(price, point)}</Num>
      ) : (
        <PriceText price={price} point={point} className={large} />
      )}
    </Flash>
  )
}

const figures = { bid: bidOf, high: highOf, low: lowOf }

/** A figure of the product as plain text. */
export function LiveFigure({ row, of }: LiveCellProps & { of: keyof typeof figures }) {
  const price = useRowFigure(row, figures[of])
  return <Num>{formatPrice(price, row.product.point)}</Num>
}

/** The spread in the unit of the product. */
export function LiveSpread({ row }: LiveCellProps) {
  return <DistanceValue product={row.product} distance={useRowFigure(row, spreadOf)} />
}

export type LiveChangeProps = LiveCellProps & {
  arrow?: boolean
  className?: string | undefined
  /** Shown while the change is unknown; without it nothing is shown. */
  unknown?: string
}

/** The change over 24 hours. */
export function LiveChange({ row, arrow = false, className, unknown }: LiveChangeProps) {
  const change = useRowFigure(row, changeOf) ?? unknown
  return change !== undefined && <ChangeText value={change} arrow={arrow} className={className} />
}

/** Where the bid lies between the low and the high of 24 hours. */
export function LiveRange({ row }: LiveCellProps) {
  const low = useRowFigure(row, lowOf)
  const high = useRowFigure(row, highOf)
  const price = useRowFigure(row, bidOf)
  if (!low || !high || !price) return null
  return <RangeBar inline low={low} high={high} price={price} point={row.product.point} />
}

/** The market time of the latest quote. */
export function LiveTime({ row }: LiveCellProps) {
  const time = useRowFigure(row, timeOf)
  return time !== undefined && <TimeText at={time} shape="timeSeconds" />
}

export type LiveSparklineProps = LiveCellProps &
  Omit<SparklineProps, 'falling' | 'unseen' | 'still'> & { line: DayLine | undefined }

const isFalling = (row: LiveRow) => changeOf(row)?.startsWith('-') ?? false

/** Rows that become visible later than this were scrolled to. */
const FIRST_VIEW_MS = 1_000

/**
 * The last 24 hours, in the colour of their change. Lines of the first view are animated; lines scrolled into view
 * are drawn at once, because there is no time for animation while scrolling.
 */
export function LiveSparkline({ row, ...props }: LiveSparklineProps) {
  const falling = useRowFigure(row, isFalling)
  const [mountedAt] = useState(() => performance.now())
  const [seenAt, setSeenAt] = useState(row.visible ? mountedAt : null)
  if (row.visible && seenAt === null) setSeenAt(performance.now())
  const still = seenAt !== null && seenAt - mountedAt > FIRST_VIEW_MS
  return <Sparkline falling={falling} unseen={seenAt === null} still={still} {...props} />
}
