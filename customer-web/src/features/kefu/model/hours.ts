import { bidiIsolateAuto } from '@/format/bidi-isolate'
import { formatTime, type TimeStyle } from '@/format/time'
import { formatWeekday } from '@/format/weekday'
import { momentOf, offsetAt, type Zone, zoneName } from '@/format/zone'
import type { Config } from '../api/kefu'

type Day = Config['hours'][number]

type Holiday = Config['holidays'][number]
type Times = { from: string; to: string }

/** Support hours on consecutive days, in the user's zone. Weekdays count from Monday (1) to Sunday (7). */
export type Span = { first: number; last: number; times: string }

const DAY_MS = 24 * 60 * 60 * 1000
const MINUTE_MS = 60_000
const WEEK = 7

/** The support hours of the week around a moment, in the user's zone; days with the same hours are grouped. */
export function spansOf(hours: readonly Day[], now: number, style: TimeStyle): Span[] {
  const opened = hours
    .map((day) => ({ opens: openingOf(day, now), minutes: day.closes - day.opens }))
    .sort((a, b) => a.opens - b.opens)
  const spans: Span[] = []
  for (let weekday = 1; weekday <= WEEK; weekday++) {
    const times = timesText(
      opened
        .filter(({ opens }) => weekdayIn(opens, zoneName(style.timeZone)) === weekday)
        .map(({ opens, minutes }) => ({
          from: formatTime(opens, style),
          to: formatTime(opens + minutes * MINUTE_MS, style),
        })),
    )
    const before = spans.at(-1)
    if (before?.last === weekday - 1 && before.times === times) before.last = weekday
    else if (times !== '') spans.push({ first: weekday, last: weekday, times })
  }
  return spans
}

/** The times of one day: "09:00–12:00 / 13:00–18:00", left to right in any script. */
function timesText(times: readonly Times[]): string {
  return times.map(({ from, to }) => `\u2066${from}–${to}\u2069`).join(' / ')
}

/** Support hours as text: "Monday–Friday 09:00–18:00". If all days have the same hours, the days are omitted. */
export function hoursText(spans: readonly Span[], tag: string): string {
  const texts = spans.map(({ first, last, times }) => {
    if (first === 1 && last === WEEK) return times
    const days = [...new Set([first, last])].map((day) => formatWeekday(day, tag))
    return `${days.join('–')} ${times}`
  })
  return new Intl.ListFormat(tag, { type: 'conjunction' }).format(texts)
}

/** The dates with other hours as text: "24 Dec 09:00–12:00, 25 Dec closed"; closed writes a date without hours. */
export function holidaysText(
  holidays: readonly Holiday[],
  style: TimeStyle,
  closed: (date: string) => string,
): string {
  const day = new Intl.DateTimeFormat(`${style.tag}-u-ca-gregory-nu-latn`, {
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
  })
  const texts = holidays.map((holiday) => {
    const date = bidiIsolateAuto(day.format(Date.parse(holiday.day)))
    const times = holiday.spans.map(({ from, to }) => ({
      from: formatTime(from, style),
      to: formatTime(to, style),
    }))
    return times.length === 0 ? closed(date) : `${date} ${timesText(times)}`
  })
  return new Intl.ListFormat(style.tag, { type: 'unit' }).format(texts)
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
