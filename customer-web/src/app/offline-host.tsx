import { useLocation } from 'react-router'
import { inMaintenance, usePlatformStatus } from '@/live/platform-status'
import { OfflineScreen } from './offline-screen'
import { routeAt } from './routes'

/**
 * Covers the app while the platform is stopped, and without a network if nothing was ever loaded; screens that support
 * it stay. Otherwise a lost network only shows a banner.
 */
export function OfflineHost() {
  const status = usePlatformStatus()
  const route = routeAt(useLocation().pathname)
  if (status.kind === 'running') return null
  if (status.kind === 'offline' && (status.since > 0 || route?.offline)) return null
  if (inMaintenance(status) && route?.maintained) return null
  return <OfflineScreen />
}
