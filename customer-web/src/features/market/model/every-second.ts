const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

function notify(): void {
  // A hidden tab is notified when it becomes visible again.
  if (document.hidden) return
  for (const listener of listeners) listener()
}

function start(): void {
  timer = setInterval(notify, 1000)
  document.addEventListener('visibilitychange', notify)
}

function stop(): void {
  clearInterval(timer)
  timer = undefined
  document.removeEventListener('visibilitychange', notify)
}

/** Calls back every second, all listeners at the same time; returns the unsubscribe function. */
export function everySecond(listener: () => void): () => void {
  if (listeners.size === 0) start()
  listeners.add(listener)
  return () => {
    if (listeners.delete(listener) && listeners.size === 0) stop()
  }
}
