import { nextFrame } from '@/ui/next-frame'

/** A row changes at most once in each quarter of a second: more can't be read. */
export const ROW_INTERVAL_MS = 250

type Listener = () => void

const pending = new Set<Listener>()
let scheduled = false

/** The quarter of a second that it is now, counted from 1970. */
export function currentInterval(): number {
  return Math.floor(Date.now() / ROW_INTERVAL_MS)
}

/** Calls back at the next beat. All rows share the beat: what changes in them is drawn in one frame, not in one each. */
export function onNextInterval(listener: Listener): void {
  pending.add(listener)
  if (scheduled) return
  scheduled = true
  setTimeout(() => nextFrame(flush), ROW_INTERVAL_MS - (Date.now() % ROW_INTERVAL_MS))
}

/** Takes a call back again. */
export function cancelNextInterval(listener: Listener): void {
  pending.delete(listener)
}

function flush(): void {
  scheduled = false
  const listeners = [...pending]
  pending.clear()
  for (const listener of listeners) listener()
}
