import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api, call, type Wire } from '@/api/client'
import { useSession } from '@/features/session/model/session-store'
import { onAccountEvent } from '@/live/live'

export type PendingOrder = Wire['Order']

/** More than an account may have waiting at once. */
const ALL = 200

/** Every order that waits, newest first. */
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

/** Fetches the waiting orders anew. */
export function refreshPendingOrders(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: pendingOrdersQuery.queryKey })
}

/** The orders that wait; they follow what happens to the account. */
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

/** The orders that wait, none while they are unknown. */
export function usePendingOrders(): readonly PendingOrder[] {
  const signedIn = useSession(({ token }) => token !== null)
  const { data } = usePendingOrdersQuery()
  return (signedIn && data) || none
}
