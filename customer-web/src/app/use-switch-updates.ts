import type { QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { onSwitches } from '@/live/live'
import { checkPlatform } from './platform-status'

/** So long the apps take at most, each its own while, to ask anew: they all hear it at once. */
const SPREAD_MS = 1000

/** Fetches anew what is on screen when a switch has another value: much hangs on them, and they seldom change. */
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
