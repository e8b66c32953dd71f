import { infiniteQueryOptions, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api, call } from '@/api/client'
import { fetchUntilNonEmpty } from '@/api/fetch-until-non-empty'
import { onAccountEvent } from '@/live/live'
import type { OrderQuery } from './history'

const KEY = ['orders', 'ended'] as const

/** Orders page by page, newest first. */
function endedQuery(query: OrderQuery) {
  return infiniteQueryOptions({
    queryKey: [...KEY, query],
    queryFn: ({ pageParam }) =>
      fetchUntilNonEmpty(pageParam, (from) =>
        call(
          api.GET('/client/trade/findOrderPage', {
            params: { query: { ...query, ...(from > 0 ? { next: from } : {}) } },
          }),
        ),
      ),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => (next > 0 ? next : undefined),
  })
}

/** Orders that ended without a fill; refetched on account events. */
export function useEndedOrders(query: OrderQuery) {
  const client = useQueryClient()
  useEffect(
    () =>
      onAccountEvent(({ event }) => {
        if (event === 'order') void client.invalidateQueries({ queryKey: KEY })
      }),
    [client],
  )
  return useInfiniteQuery(endedQuery(query))
}
