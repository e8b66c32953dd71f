import { type ComponentType, useEffect, useState } from 'react'
import { usePlatformStatus } from './platform-status'

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

/** Shows the offline screen while there is no network, or while the platform is not running. */
export function OfflineHost() {
  const status = usePlatformStatus()
  const [, setLoaded] = useState(Screen !== null)
  useEffect(() => {
    // With every new status once more, until it is there.
    if (status.kind !== 'running' && !Screen)
      load().then(
        () => setLoaded(true),
        () => {},
      )
  }, [status])
  return status.kind !== 'running' && Screen ? <Screen /> : null
}
