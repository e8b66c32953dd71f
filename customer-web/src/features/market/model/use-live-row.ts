import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useSyncExternalStore } from 'react'
import type { Wire } from '@/api/client'
import type { LiveQuote } from '@/live/quote-store'
import { marketStatusQuery } from '../api/market-status'
import { changePercent, type Product } from '../api/products'
import { everySecond } from './every-second'
import { type Freshness, freshnessOf } from './freshness'
import { PacedQuote } from './paced-quote'

export type LiveRow = {
  /** Undefined until the product's first line has come. */
  quote: LiveQuote | undefined
  freshness: Freshness
  bid: string | undefined
  ask: string | undefined
  spread: string | undefined
  /** Over 24 hours, in percent; undefined while unknown. */
  change: string | undefined
  high: string | undefined
  low: string | undefined
}

const never = () => () => {}

/** What a row of prices shows. It subscribes, and renders anew, only while it is on screen. */
export function useLiveRow(
  product: Product,
  status: Wire['ProductStatus'] | undefined,
  visible: boolean,
): LiveRow {
  const client = useQueryClient()
  const paced = useMemo(() => new PacedQuote(product.productId), [product.productId])
  const quote = useSyncExternalStore(visible ? paced.listen : never, paced.get)
  const freshness = useSyncExternalStore(visible ? everySecond : never, () =>
    freshnessOf({
      quote,
      staleMs: product.staleMs,
      status,
      market: client.getQueryData(marketStatusQuery.queryKey),
      now: Date.now(),
    }),
  )
  const bid = quote?.bid ?? product.sellPrice
  return {
    quote,
    freshness,
    bid,
    ask: quote?.ask ?? product.buyPrice,
    spread: quote?.spread ?? product.spread,
    change: product.open24Hours ? changePercent(product.open24Hours, bid) : undefined,
    // The tickers come every 5 s: a bid outside of them is already a new high or low.
    high: outermost(product.high24Hours, bid, (price, known) => price > known),
    low: outermost(product.low24Hours, bid, (price, known) => price < known),
  }
}

function outermost(
  known: string | undefined,
  bid: string | undefined,
  beyond: (price: number, known: number) => boolean,
): string | undefined {
  return known && bid && beyond(Number(bid), Number(known)) ? bid : known
}
