import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api, call, type Wire } from '@/api/client'
import { onTickers } from '@/live/live'
import type { DayFigures } from '@/live/quote-store'

export type Product = Wire['Product']

/** Every product with its parameters and 24-hour figures; live prices come from the quote store. */
export const productsQuery = queryOptions({
  queryKey: ['products'],
  queryFn: () => call(api.GET('/client/api/findProductList')),
  staleTime: 5 * 60_000,
})

export function useProducts() {
  return useQuery(productsQuery)
}

/** One product; undefined until the list is loaded, or if the product doesn't exist. */
export function useProduct(productId: number): Product | undefined {
  return useQuery({
    ...productsQuery,
    select: (list) => list.find((one) => one.productId === productId),
  }).data
}

/** The ids of the most traded products. */
export const hotQuery = queryOptions({
  queryKey: ['products', 'hot'],
  queryFn: () => call(api.GET('/client/api/getPreheatedProductList')),
  staleTime: 5 * 60_000,
})

/** Copies the tickers' 24-hour figures into the product list while the app is open. */
export function useTickers(client: QueryClient): void {
  useEffect(
    () =>
      onTickers((tickers) => {
        client.setQueryData(productsQuery.queryKey, (list) => list && merge(list, tickers))
      }),
    [client],
  )
}

function merge(list: Product[], tickers: readonly DayFigures[]): Product[] {
  const byId = new Map(tickers.map((ticker) => [ticker.productId, ticker]))
  return list.map((product) => {
    const ticker = byId.get(product.productId)
    return ticker ? { ...product, ...ticker } : product
  })
}

/** A product's change over 24 hours in percent, from the current price; "0" while unknown. */
export function changePercent(open: string | undefined, now: string | undefined): string {
  const from = Number(open)
  if (!open || !now || !(from > 0)) return '0'
  return (((Number(now) - from) / from) * 100).toFixed(4)
}
