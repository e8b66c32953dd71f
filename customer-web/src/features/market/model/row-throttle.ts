import { nextFrame } from '@/ui/next-frame'

/** A row changes at most once in each quarter of a second: more can't be read. */
export const ROW_PACE_MS = 250

type Tell = () => void

const waiting = new Set<Tell>()
let set = false

/** The quarter of a second that it is now, counted from 1970. */
export function currentBeat(): number {
  return Math.floor(Date.now() / ROW_PACE_MS)
}

/** Calls back at the next beat. All rows share the beat: what changes in them is drawn in one frame, not in one each. */
export function atNextBeat(tell: Tell): void {
  waiting.add(tell)
  if (set) return
  set = true
  setTimeout(() => nextFrame(beat), ROW_PACE_MS - (Date.now() % ROW_PACE_MS))
}

/** Takes a call back again. */
export function leaveBeat(tell: Tell): void {
  waiting.delete(tell)
}

function beat(): void {
  set = false
  const told = [...waiting]
  waiting.clear()
  for (const tell of told) tell()
}
