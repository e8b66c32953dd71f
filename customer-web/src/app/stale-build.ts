/** At most one automatic reload in this time, so that a broken server does not cause a reload loop. */
const RELOAD_PAUSE_MS = 60_000

const marker = 'reloadedAt'

const failedImports = new WeakSet<object>()

/** Records failed imports of lazy files: after an update the files of the old build are gone. */
export function watchStaleBuild(): void {
  window.addEventListener('vite:preloadError', (event) => {
    if (event.payload instanceof Error) failedImports.add(event.payload)
  })
}

export function isStaleBuild(error: unknown): boolean {
  return typeof error === 'object' && error !== null && failedImports.has(error)
}

/** Whether the server can be reached: without it a reload would end on the browser's own error page. */
export async function canReload(): Promise<boolean> {
  try {
    return navigator.onLine && (await fetch('/', { method: 'HEAD', cache: 'no-store' })).ok
  } catch {
    return false
  }
}

/** Reloads the page unless it reloaded recently. */
export function reloadOnce(reload: () => void = () => window.location.reload()): void {
  const now = Date.now()
  try {
    if (now - Number(sessionStorage.getItem(marker) ?? 0) < RELOAD_PAUSE_MS) return
    sessionStorage.setItem(marker, String(now))
  } catch {
    return
  }
  reload()
}
