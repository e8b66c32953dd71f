import type { AccountEvent } from '@/live/live'

export type OrderSound = 'fill' | 'margin'

/** Rules that close a position without an action of the trader, except the stop-out. */
const STOPS: readonly string[] = ['sl', 'tp', 'trailing']

/** The sound of an event: a pending order filled or a stop closed a position, or the margin ran short. */
export function soundOf({ event, order, fill }: AccountEvent): OrderSound | null {
  if (event === 'margin_call' || fill?.rule === 'stop_out') return 'margin'
  return fill && (order || STOPS.includes(fill.rule)) ? 'fill' : null
}

/** The notes of a sound: frequency in Hz and start in seconds. */
const NOTES: Record<OrderSound, readonly (readonly [hertz: number, start: number])[]> = {
  fill: [
    [660, 0],
    [880, 0.12],
  ],
  margin: [
    [440, 0],
    [330, 0.18],
    [440, 0.36],
  ],
}
const NOTE_SECONDS = 0.14
const VOLUME = 0.12

let context: AudioContext | undefined

/** Plays a sound. Silent in a hidden tab, and until the trader has used the page, before which browsers refuse it. */
export function playOrderSound(sound: OrderSound): void {
  if (document.hidden || !navigator.userActivation?.hasBeenActive) return
  context ??= new AudioContext()
  const out = context
  void out.resume()
  for (const [hertz, start] of NOTES[sound]) {
    const [tone, gain, at] = [out.createOscillator(), out.createGain(), out.currentTime + start]
    tone.frequency.value = hertz
    gain.gain.setValueAtTime(VOLUME, at)
    gain.gain.exponentialRampToValueAtTime(0.001, at + NOTE_SECONDS)
    tone.connect(gain).connect(out.destination)
    tone.start(at)
    tone.stop(at + NOTE_SECONDS)
  }
}
