// Runs in the page: writes down how long frames take while it is told to.

/** What a page keeps while it is watched. Long animation frames come from the browser's own measurement. */
export function watchFrames() {
  const found = { frames: 0, late: [], long: [], tasks: [] }
  let before = 0
  let on = false
  const next = (now) => {
    if (on && before > 0) {
      found.frames += 1
      if (now - before > 50) found.late.push(now - before)
    }
    before = on ? now : 0
    requestAnimationFrame(next)
  }
  requestAnimationFrame(next)
  const observe = (type, into) => {
    if (!PerformanceObserver.supportedEntryTypes.includes(type)) return
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) if (on && duration > 50) into.push(duration)
    }).observe({ type })
  }
  observe('long-animation-frame', found.long)
  observe('longtask', found.tasks)
  window.benchFrames = {
    start() {
      Object.assign(found, { frames: 0 })
      for (const list of [found.late, found.long, found.tasks]) list.length = 0
      on = true
    },
    stop() {
      on = false
      return structuredClone(found)
    },
  }
}
