import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, call, type Wire } from '@/api/client'

const REFETCH_MS = 15_000

/** Market time, price source, the sealed end of the tape, and the trading status of every product. */
export const marketStatusQuery = queryOptions({
  queryKey: ['market-status'],
  queryFn: async () => {
    const status = await call(api.GET('/client/api/getMarketStatus'))
    return { ...status, fetchedAt: Date.now() }
  },
  refetchInterval: REFETCH_MS,
})

export function useMarketStatus() {
  return useQuery(marketStatusQuery)
}

/** Whether a product trades now, and until when; undefined until known. */
export function useProductStatus(productId: number): Wire['ProductStatus'] | undefined {
  return useQuery({
    ...marketStatusQuery,
    select: (status) => status.products.find((one) => one.productId === productId),
  }).data
}
