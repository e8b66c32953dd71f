import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api, call, type Wire } from '@/api/client'
import { onAccountEvent } from '@/live/live'
import { useSession } from '@/session/session-store'

export type PendingOrder = Wire['Order']

/** More than an account's maximum number of pending orders. */
const ALL = 200

/** Every pending order, newest first. */
export const pendingOrdersQuery = queryOptions({
  queryKey: ['orders', 'waiting'],
  queryFn: async () =>
    (
      await call(
        api.GET('/client/trade/findOrderPage', {
          params: { query: { status: 'waiting', size: ALL } },
        }),
      )
    )?.list ?? [],
})

/** Refetches the pending orders. */
export function refreshPendingOrders(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: pendingOrdersQuery.queryKey })
}

/** The pending orders; refetched on account events. */
export function usePendingOrdersQuery() {
  const client = useQueryClient()
  const signedIn = useSession(({ token }) => token !== null)
  useEffect(
    () =>
      onAccountEvent(({ event }) => {
        if (event === 'order' || event === 'fill') void refreshPendingOrders(client)
      }),
    [client],
  )
  return useQuery({ ...pendingOrdersQuery, enabled: signedIn })
}

const none: readonly PendingOrder[] = []

/** The pending orders; empty while unknown. */
export function usePendingOrders(): readonly PendingOrder[] {
  const signedIn = useSession(({ token }) => token !== null)
  const { data } = usePendingOrdersQuery()
  return (signedIn && data) || none
}
