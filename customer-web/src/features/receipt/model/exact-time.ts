import { NO_VALUE } from '@/format/decimal'

/** 2026-11-20 09:14:22.418 UTC: a receipt's time to the millisecond, the same for everyone. */
export function exactTime(at: number): string {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return NO_VALUE
  return `${date.toISOString().replace('T', ' ').replace('Z', '')} UTC`
}

/** 09:14:22.4: the time of day to a tenth of a second, UTC. */
export function clockTime(at: number): string {
  return exactTime(at).slice(11, 21)
}

/** 84 ms, 1.7 s: a duration. */
export function durationText(ms: number): string {
  const length = Math.max(0, ms)
  return length < 1000 ? `${Math.round(length)} ms` : `${(length / 1000).toFixed(1)} s`
}
