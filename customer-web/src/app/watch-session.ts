import type { QueryClient } from '@tanstack/react-query'
import { watchAccount } from './watch-account'
import { watchOrders } from './watch-orders'

/** Follows what happens to the account in use and its orders. Returns how to stop. */
export function watchSession(client: QueryClient): () => void {
  const stops = [watchAccount(client), watchOrders(client)]
  return () => {
    for (const stop of stops) stop()
  }
}
