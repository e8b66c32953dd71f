import { nextFrame } from '@/ui/next-frame'

/** A row updates at most four times a second; faster changes can't be read. */
export const ROW_INTERVAL_MS = 250

type Listener = () => void

const pending = new Set<Listener>()
let scheduled = false

/** The number of the current interval, counted from 1970. */
export function currentInterval(): number {
  return Math.floor(Date.now() / ROW_INTERVAL_MS)
}

/** Calls back at the next interval. All rows share it, so their changes are drawn in one frame. */
export function onNextInterval(listener: Listener): void {
  pending.add(listener)
  if (scheduled) return
  scheduled = true
  setTimeout(() => nextFrame(flush), ROW_INTERVAL_MS - (Date.now() % ROW_INTERVAL_MS))
}

/** Cancels a callback. */
export function cancelNextInterval(listener: Listener): void {
  pending.delete(listener)
}

function flush(): void {
  scheduled = false
  const listeners = [...pending]
  pending.clear()
  for (const listener of listeners) listener()
}
