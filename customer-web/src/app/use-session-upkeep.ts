import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { useRegisteredId } from '@/session/session-store'

/** The full-screen chart of an embedding app, which decides about its theme. */
const EMBEDDED = '/webview/chart'

/**
 * Keeps the preferences of a registered trader the same on all of their devices, and the token of their session fresh. Visitors and guests load none of
 * it.
 */
export function useSessionUpkeep(): void {
  const embedded = useLocation().pathname === EMBEDDED
  const userId = useRegisteredId()
  useEffect(() => {
    if (userId === null || embedded) return
    let stop: (() => void) | undefined
    let over = false
    import('./session-upkeep').then(
      ({ startUpkeep }) => {
        if (!over) stop = startUpkeep(userId)
      },
      () => {},
    )
    return () => {
      over = true
      stop?.()
    }
  }, [userId, embedded])
}
