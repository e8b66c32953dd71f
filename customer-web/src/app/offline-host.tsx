import { type ComponentType, useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { inMaintenance, usePlatformStatus } from './platform-status'
import { routeAt } from './routes'

let Screen: ComponentType | null = null

async function load(): Promise<ComponentType> {
  Screen = (await import('./offline-screen')).OfflineScreen
  return Screen
}

/** Preloads the offline screen while the network is up. */
export async function preloadOfflineScreen(): Promise<void> {
  // A failed load is retried when the screen is needed.
  await load().catch(() => {})
}

/** Shows the offline screen without a network or while the platform is stopped, except over screens that support it. */
export function OfflineHost() {
  const status = usePlatformStatus()
  const { pathname } = useLocation()
  const [, setLoaded] = useState(Screen !== null)
  useEffect(() => {
    // Retries with every status change until the screen is loaded.
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
