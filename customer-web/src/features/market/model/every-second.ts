const hearers = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

/** Calls back every second, all hearers in the same moment; returns the way to stop. */
export function everySecond(hear: () => void): () => void {
  hearers.add(hear)
  timer ??= setInterval(() => {
    for (const one of hearers) one()
  }, 1000)
  return () => {
    hearers.delete(hear)
    if (hearers.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}
