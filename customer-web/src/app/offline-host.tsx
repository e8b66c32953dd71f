import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { useLive } from '@/live/live'
import { inMaintenance, usePlatformStatus } from '@/live/platform-status'
import { useDelayed } from '@/ui/use-delayed'
import { OfflineScreen } from './offline-screen'
import { routeAt } from './routes'

/** A new connection takes up to 4.5 s, also after a log-in or a switch of accounts. */
const STALE_MS = 5_000

/**
 * Covers the app while the platform is stopped, and without a network if nothing was ever loaded; screens that support
 * it stay. Otherwise a lost network only shows a banner.
 */
export function OfflineHost() {
  const status = usePlatformStatus()
  useGreyNumbers()
  const route = routeAt(useLocation().pathname)
  if (status.kind === 'running') return null
  if (status.kind === 'offline' && (status.since > 0 || route?.offline)) return null
  if (inMaintenance(status) && route?.maintained) return null
  return <OfflineScreen />
}

/** While no quotes arrive any more, every number is grey. */
function useGreyNumbers() {
  const lost = useLive(({ socket, lastMessageAt }) => socket !== 'open' && lastMessageAt > 0)
  const stale = useDelayed(lost, STALE_MS)
  useEffect(() => {
    document.documentElement.toggleAttribute('data-stale', stale)
    return () => document.documentElement.removeAttribute('data-stale')
  }, [stale])
}
