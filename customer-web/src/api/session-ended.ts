type Listener = () => void

const listeners = new Set<Listener>()

/** Called by the API client on a 401 or "Token invalid"; the app shell decides what to show. */
export function reportSessionEnded(): void {
  for (const listener of listeners) listener()
}

/** Subscribes to the end of the session; returns the unsubscribe function. */
export function onSessionEnded(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
