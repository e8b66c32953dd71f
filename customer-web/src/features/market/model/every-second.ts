const hearers = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

function tell(): void {
  // Nobody sees a hidden tab: it is told when it shows again.
  if (document.hidden) return
  for (const hear of hearers) hear()
}

function start(): void {
  timer = setInterval(tell, 1000)
  document.addEventListener('visibilitychange', tell)
}

function stop(): void {
  clearInterval(timer)
  timer = undefined
  document.removeEventListener('visibilitychange', tell)
}

/** Calls back every second, all hearers in the same moment; returns the way to stop. */
export function everySecond(hear: () => void): () => void {
  if (hearers.size === 0) start()
  hearers.add(hear)
  return () => {
    if (hearers.delete(hear) && hearers.size === 0) stop()
  }
}
