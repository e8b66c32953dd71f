type Listener = () => void

const listeners = new Set<Listener>()

/** The API client reports a 401 or "Token invalid" here; the app shell decides what is shown. */
export function reportSessionEnded(): void {
  for (const listener of listeners) listener()
}

/** Calls back when a session ended; returns the way to stop. */
export function onSessionEnded(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
