import { infiniteQueryOptions, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api, call } from '@/api/client'
import { onAccountEvent } from '@/live/live'

const KEY = ['orders', 'ended'] as const

/** How many orders one call answers, of which only some have ended without a fill. */
const PER_CALL = 100

/** Orders page by page, newest first, those that ended without a fill. */
function endedQuery(productId: number | undefined) {
  return infiniteQueryOptions({
    queryKey: [...KEY, productId ?? 0],
    queryFn: async ({ pageParam }) => {
      const page = await call(
        api.GET('/client/trade/findOrderPage', {
          params: {
            query: {
              size: PER_CALL,
              ...(productId === undefined ? {} : { productId }),
              ...(pageParam > 0 ? { next: pageParam } : {}),
            },
          },
        }),
      )
      const list = page.list.filter(({ status }) => status === 'cancelled' || status === 'expired')
      return { list, next: page.next }
    },
    initialPageParam: 0,
    getNextPageParam: ({ next }) => (next > 0 ? next : undefined),
  })
}

/** The orders that ended without a fill; they follow what happens to the account. */
export function useEndedOrders(productId: number | undefined) {
  const client = useQueryClient()
  useEffect(
    () =>
      onAccountEvent(({ event }) => {
        if (event === 'order') void client.invalidateQueries({ queryKey: KEY })
      }),
    [client],
  )
  return useInfiniteQuery(endedQuery(productId))
}
