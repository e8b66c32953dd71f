import type { DataLoader, KLineData } from 'klinecharts'
import { api, call, type Wire } from '@/api/client'
import { quoteStore } from '@/live/quote-store'
import { candleStart, type PeriodCode } from './periods'

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

export function chartData(
  productId: number,
  period: PeriodCode,
  onError: (error: unknown) => void,
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
        const bars = await fetchBars(productId, period, type === 'init' ? null : timestamp)
        if (closed) return
        if (type === 'init') last = bars.at(-1)
        callback(bars, { backward: false, forward: bars.length === PAGE })
      } catch (error) {
        if (closed) return
        onError(error)
        callback([], false)
      }
    },
    subscribeBar({ callback }) {
      stop = quoteStore.listen(productId, () => {
        const quote = quoteStore.get(productId)
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
