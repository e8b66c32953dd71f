import { momentOf, offsetAt, type Zone } from './zone'

const DAY_MS = 24 * 60 * 60 * 1000

/** The day of a moment as `yyyy-mm-dd`, in the trader's zone. */
export function dayOf(at: number, zone: Zone): string {
  return new Date(at + offsetAt(at, zone)).toISOString().slice(0, 10)
}

/** The start of a day in the trader's zone. */
export function startOf(day: string, zone: Zone): number {
  return momentOf(Date.parse(`${day}T00:00:00Z`), zone)
}

/** Shifts a day by a number of days. */
export function shiftDay(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
}

/** Validates a day; null if there is no such day. */
export function dayIn(text: string | null): string | null {
  if (!text || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return null
  const at = Date.parse(`${text}T00:00:00Z`)
  return Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== text ? null : text
}
