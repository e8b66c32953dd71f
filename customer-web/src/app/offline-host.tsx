import { type ComponentType, useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { inMaintenance, usePlatformStatus } from './platform-status'
import { routeAt } from './routes'

let Screen: ComponentType | null = null

async function load(): Promise<ComponentType> {
  Screen = (await import('./offline-screen')).OfflineScreen
  return Screen
}

/** Fetches the offline screen while there still is a network. */
export async function preloadOfflineScreen(): Promise<void> {
  // A failure is tried again when the screen is needed.
  await load().catch(() => {})
}

/** Shows the offline screen while there is no network, or while the platform is not running, unless the screen can do without. */
export function OfflineHost() {
  const status = usePlatformStatus()
  const { pathname } = useLocation()
  const [, setLoaded] = useState(Screen !== null)
  useEffect(() => {
    // With every new status once more, until it is there.
    if (status.kind !== 'running' && !Screen)
      load().then(
        () => setLoaded(true),
        () => {},
      )
  }, [status])
  const route = routeAt(pathname)
  const goesOn =
    (status.kind === 'offline' && route?.offline) || (inMaintenance(status) && route?.maintained)
  return status.kind !== 'running' && !goesOn && Screen ? <Screen /> : null
}
