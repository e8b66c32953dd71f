import type { QueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { onAccountChangedElsewhere } from '@/session/session-store'

/**
 * Fetches everything on screen anew after another tab switched the account. Returns how often that happened, as the key of what begins anew then: a sheet that was
 * opened on one account acts on no other.
 */
export function useAccountSwitches(client: QueryClient): number {
  const [count, setCount] = useState(0)
  useEffect(
    () =>
      onAccountChangedElsewhere(() => {
        void client.resetQueries()
        setCount((n) => n + 1)
      }),
    [client],
  )
  return count
}
