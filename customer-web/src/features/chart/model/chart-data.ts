import type { DataLoader, KLineData } from 'klinecharts'
import { api, call, type Wire } from '@/api/client'
import { quoteStore, readQuote } from '@/live/quote-store'
import { candleLength, candleStart, MOST_BARS_BACK, type PeriodCode } from './periods'

const PAGE = 500

function toBar(kline: Wire['Kline']): KLineData {
  return {
    timestamp: kline.time,
    open: Number(kline.open),
    high: Number(kline.high),
    low: Number(kline.low),
    close: Number(kline.close),
    volume: kline.volume,
  }
}

async function fetchBars(productId: number, period: PeriodCode, before: number | null) {
  const klines = await call(
    api.GET('/client/api/findKline', {
      params: {
        query: { productId, period, size: PAGE, ...(before === null ? {} : { endTime: before }) },
      },
    }),
  )
  return klines.map(toBar)
}

/** The newest bars, back to a moment: in as many calls as needed, within the chart's reach, and while they are wanted. */
async function fetchBarsSince(
  productId: number,
  period: PeriodCode,
  since: number,
  wanted: () => boolean,
) {
  let bars = await fetchBars(productId, period, null)
  let full = bars.length === PAGE
  const newest = bars.at(-1)?.timestamp ?? 0
  // A fine period doesn't reach back to a trade of long ago: then it is not looked for.
  if (since < newest - MOST_BARS_BACK * candleLength(period)) return { bars, more: full }
  while (wanted() && full && bars.length < MOST_BARS_BACK && (bars[0]?.timestamp ?? 0) > since) {
    const older = await fetchBars(productId, period, bars[0]?.timestamp ?? null)
    full = older.length === PAGE
    bars = [...older, ...bars]
  }
  return { bars, more: full }
}

/** The bar after a bid: the current one is updated, or a new one starts. */
export function applyBid(
  last: KLineData | undefined,
  bid: number,
  at: number,
  period: PeriodCode,
): KLineData {
  const timestamp = candleStart(at, period)
  if (!last || timestamp > last.timestamp) {
    return { timestamp, open: bid, high: bid, low: bid, close: bid, volume: 1 }
  }
  return {
    ...last,
    high: Math.max(last.high, bid),
    low: Math.min(last.low, bid),
    close: bid,
    volume: (last.volume ?? 0) + 1,
  }
}

/**
 * Loads nothing. Used while the chart changes its product, so that bars of the old product are never shown under
 * the new name.
 */
export const emptyLoader: DataLoader = { getBars: ({ callback }) => callback([], false) }

/** Feeds a chart: pages of candles backwards, and live bids into the current candle. */
export type ChartData = DataLoader & {
  /** Ends the feed: later responses are dropped, because the chart may show another product by then. */
  close: () => void
}

export type ChartDataOptions = {
  /** The first bars reach back to this moment, ms. */
  since?: number | undefined
  /** The chart has its first bars. */
  onFirst?: () => void
}

export function chartData(
  productId: number,
  period: PeriodCode,
  onError: (error: unknown) => void,
  { since, onFirst }: ChartDataOptions = {},
): ChartData {
  let stop = () => {}
  let last: KLineData | undefined
  let sequence = 0
  let closed = false
  return {
    close() {
      closed = true
      stop()
    },
    async getBars({ type, timestamp, callback }) {
      if (type === 'backward' || type === 'update') {
        callback([], { backward: false, forward: true })
        return
      }
      try {
        if (type !== 'init') {
          const bars = await fetchBars(productId, period, timestamp)
          if (!closed) callback(bars, { backward: false, forward: bars.length === PAGE })
          return
        }
        const from = since ?? Number.POSITIVE_INFINITY
        const { bars, more } = await fetchBarsSince(productId, period, from, () => !closed)
        if (closed) return
        last = bars.at(-1)
        callback(bars, { backward: false, forward: more })
        onFirst?.()
      } catch (error) {
        if (closed) return
        onError(error)
        callback([], false)
      }
    },
    subscribeBar({ callback }) {
      stop = quoteStore.listen(productId, () => {
        const quote = readQuote(productId)
        if (!quote || quote.sequence === sequence) return // a line can repeat the same price
        sequence = quote.sequence
        last = applyBid(last, Number(quote.bid), quote.time, period)
        callback(last)
      })
    },
    unsubscribeBar() {
      stop()
    },
  }
}
