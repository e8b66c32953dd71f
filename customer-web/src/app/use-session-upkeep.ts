import type { QueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { useRegisteredId, useSession } from '@/session/session-store'

/** The full-screen chart of an embedding app, which decides about its theme. */
const EMBEDDED = '/webview/chart'

/** Starts something of a module that is loaded first; returns how to stop it, also before it has begun. */
function startLoaded(start: () => Promise<() => void>): () => void {
  let stop: (() => void) | undefined
  let over = false
  start().then(
    (stopNow) => {
      if (over) stopNow()
      else stop = stopNow
    },
    () => {},
  )
  return () => {
    over = true
    stop?.()
  }
}

/**
 * Follows the account and its orders from the first session of a page on, and for registered traders keeps the preferences the same on all of their devices
 * and the token fresh. Visitors load none of it.
 */
export function useSessionUpkeep(client: QueryClient): void {
  const loggedIn = useSession(({ token }) => token !== null)
  // It stays after a log-out: the next session may be another trader's.
  const [watched, setWatched] = useState(loggedIn)
  if (loggedIn && !watched) setWatched(true)
  useEffect(() => {
    if (!watched) return
    return startLoaded(async () => (await import('./watch-session')).watchSession(client))
  }, [watched, client])

  const embedded = useLocation().pathname === EMBEDDED
  const userId = useRegisteredId()
  useEffect(() => {
    if (userId === null || embedded) return
    return startLoaded(async () => (await import('./session-upkeep')).startUpkeep(userId))
  }, [userId, embedded])
}
