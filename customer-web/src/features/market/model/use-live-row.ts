import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useSyncExternalStore } from 'react'
import type { Wire } from '@/api/client'
import { marketStatusQuery } from '../api/market-status'
import type { Product } from '../api/products'
import { everySecond } from './every-second'
import { type Freshness, freshnessOf } from './freshness'
import { type LiveRow, noSubscription, timeOf, useRowFigure } from './live-row'
import { ThrottledQuote } from './throttled-quote'

export type LiveRowState = {
  /** The data for the cells. */
  row: LiveRow
  freshness: Freshness
  /** Whether the first quote has arrived. */
  quoted: boolean
}

/**
 * A price row. It renders again when its appearance changes, its cells when their figures change; neither off
 * screen.
 */
export function useLiveRow(
  product: Product,
  status: Wire['ProductStatus'] | undefined,
  visible: boolean,
): LiveRowState {
  const client = useQueryClient()
  const source = useMemo(() => new ThrottledQuote(product.productId), [product.productId])
  const row = useMemo(() => ({ product, source, visible }), [product, source, visible])
  const follow = useCallback(
    (changed: () => void) => {
      const stops = [source.listen(changed), everySecond(changed)]
      return () => {
        for (const stop of stops) stop()
      }
    },
    [source],
  )
  const freshness = useSyncExternalStore(visible ? follow : noSubscription, () =>
    freshnessOf({
      quote: source.get(),
      staleMs: product.staleMs,
      status,
      market: client.getQueryData(marketStatusQuery.queryKey),
      now: Date.now(),
    }),
  )
  const quoted = useRowFigure(row, isQuoted)
  return { row, freshness, quoted }
}

const isQuoted = (row: LiveRow) => timeOf(row) !== undefined
