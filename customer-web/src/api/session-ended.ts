type Listener = () => void

const listeners = new Set<Listener>()
let leaving = 0

/** Called by the API client on a 401 or "Token invalid"; the app shell decides what to show. While the trader logs out, it is no news. */
export function reportSessionEnded(): void {
  if (leaving > 0) return
  for (const listener of listeners) listener()
}

/** Waits for a log-out: calls that are under way learn of it before its own answer is read. */
export async function whileLeaving<T>(logOut: Promise<T>): Promise<T> {
  leaving++
  try {
    return await logOut
  } finally {
    leaving--
  }
}

/** Subscribes to the end of the session; returns the unsubscribe function. */
export function onSessionEnded(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
