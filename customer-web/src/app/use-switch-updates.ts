import type { QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { onSwitches } from '@/live/live'
import { checkPlatform } from '@/live/platform-status'

/** Clients refetch within this random delay, because all of them get the event at once. */
const SPREAD_MS = 1000

/** Refetches everything on screen when a switch changes: much depends on switches, and they rarely change. */
export function useSwitchUpdates(client: QueryClient): void {
  useEffect(() => {
    let waiting: ReturnType<typeof setTimeout> | undefined
    const stop = onSwitches(() => {
      clearTimeout(waiting)
      waiting = setTimeout(() => {
        void checkPlatform()
        void client.invalidateQueries()
      }, Math.random() * SPREAD_MS)
    })
    return () => {
      stop()
      clearTimeout(waiting)
    }
  }, [client])
}
