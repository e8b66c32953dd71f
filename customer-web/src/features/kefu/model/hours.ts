import { formatTime, type TimeStyle } from '@/format/time'
import { formatWeekday } from '@/format/weekday'
import { momentOf, offsetAt, type Zone, zoneName } from '@/format/zone'
import type { Config } from '../api/kefu'

type Day = Config['hours'][number]

/** Support hours on consecutive days, in the user's zone. Weekdays count from Monday (1) to Sunday (7). */
export type Span = { first: number; last: number; from: string; to: string }

const DAY_MS = 24 * 60 * 60 * 1000
const MINUTE_MS = 60_000
const WEEK = 7

/** The support hours of the week around a moment, in the user's zone; days with the same hours are grouped. */
export function spansOf(hours: readonly Day[], now: number, style: TimeStyle): Span[] {
  const days = hours
    .map((day) => {
      const opens = openingOf(day, now)
      return {
        weekday: weekdayIn(opens, zoneName(style.timeZone)),
        from: formatTime(opens, style),
        to: formatTime(opens + (day.closes - day.opens) * MINUTE_MS, style),
      }
    })
    .sort((a, b) => a.weekday - b.weekday)
  const spans: Span[] = []
  for (const { weekday, from, to } of days) {
    const before = spans.at(-1)
    if (before?.last === weekday - 1 && before.from === from && before.to === to)
      before.last = weekday
    else spans.push({ first: weekday, last: weekday, from, to })
  }
  return spans
}

/** Support hours as text: "Monday–Friday 09:00–18:00". If all days have the same hours, the days are omitted. */
export function hoursText(spans: readonly Span[], tag: string): string {
  const texts = spans.map(({ first, last, from, to }) => {
    const times = `\u2066${from}–${to}\u2069`
    if (first === 1 && last === WEEK) return times
    const days = [...new Set([first, last])].map((day) => formatWeekday(day, tag))
    return `${days.join('–')} ${times}`
  })
  return new Intl.ListFormat(tag, { type: 'conjunction' }).format(texts)
}

/** The opening time of a weekday, in the week around a moment. */
function openingOf({ weekday, opens, zone: name }: Day, now: number): number {
  const zone = name as Zone
  const today = weekdayIn(now, zone) % WEEK
  const date = new Date(now + offsetAt(now, zone) + ((weekday - today + WEEK) % WEEK) * DAY_MS)
  const reading = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate(), 0, opens)
  return momentOf(reading, zone)
}

const names = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** The weekday of a moment in a zone: 1 is Monday. */
function weekdayIn(at: number, timeZone: string): number {
  const name = new Intl.DateTimeFormat('en-US', { weekday: 'short', timeZone }).format(at)
  return names.indexOf(name) + 1
}
