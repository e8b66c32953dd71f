const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

function notify(): void {
  // Nobody sees a hidden tab: it is told when it shows again.
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

/** Calls back every second, all hearers in the same moment; returns the way to stop. */
export function everySecond(listener: () => void): () => void {
  if (listeners.size === 0) start()
  listeners.add(listener)
  return () => {
    if (listeners.delete(listener) && listeners.size === 0) stop()
  }
}
