import type { Zone } from '@/storage/zone'

export type { Zone } from '@/storage/zone'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/** The IANA name of a zone, which Intl and the server understand. */
export function zoneName(zone: Zone): string {
  if (zone === 'utc') return 'UTC'
  return zone === 'local' ? Intl.DateTimeFormat().resolvedOptions().timeZone : zone
}

/** Every zone that this browser knows, by name. */
export function zoneNames(): Zone[] {
  return Intl.supportedValuesOf('timeZone').filter((name): name is Zone => name.includes('/'))
}

const formatters = new Map<string, Intl.DateTimeFormat>()

/** The offset of a zone from UTC at a moment, ms. */
export function offsetAt(at: number, zone: Zone): number {
  if (!Number.isFinite(at)) return Number.NaN
  if (zone === 'utc') return 0
  if (zone === 'local') return -new Date(at).getTimezoneOffset() * MINUTE_MS
  let formatter = formatters.get(zone)
  if (!formatter) {
    formatter = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
    formatters.set(zone, formatter)
  }
  const name = formatter.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value
  const [, sign, hours = 0, minutes = 0] = /([+-])(\d\d):(\d\d)/.exec(name ?? '') ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * MINUTE_MS
}

/** The moment of a clock's reading in a zone, given as if it were UTC. A reading that the zone skips is moved on. */
export function momentOf(reading: number, zone: Zone): number {
  const before = offsetAt(reading - DAY_MS, zone)
  const after = offsetAt(reading + DAY_MS, zone)
  const late = reading - after
  return offsetAt(reading - before, zone) !== before && offsetAt(late, zone) === after
    ? late
    : reading - before
}

/** UTC, UTC+8, UTC−3:30 */
export function formatOffset(at: number, zone: Zone): string {
  const offset = offsetAt(at, zone) / MINUTE_MS
  if (offset === 0) return 'UTC'
  const size = Math.abs(offset)
  const minutes = size % 60 === 0 ? '' : `:${String(size % 60).padStart(2, '0')}`
  return `UTC${offset < 0 ? '−' : '+'}${Math.floor(size / 60)}${minutes}`
}
