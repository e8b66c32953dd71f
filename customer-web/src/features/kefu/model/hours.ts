import { formatTime, type TimeStyle } from '@/format/time'
import { formatWeekday } from '@/format/weekday'
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
        weekday: weekdayIn(opens, style.timeZone === 'utc' ? 'UTC' : undefined),
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
function openingOf({ weekday, opens, zone }: Day, now: number): number {
  const today = weekdayIn(now, zone) % WEEK
  const date = new Date(now + offsetOf(now, zone) + ((weekday - today + WEEK) % WEEK) * DAY_MS)
  const wall = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate(), 0, opens)
  // The zone's offset may change between now and then.
  return wall - offsetOf(wall - offsetOf(wall, zone), zone)
}

/** The offset of a zone from UTC at a moment, ms. */
function offsetOf(at: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(at)
  const part = (type: Intl.DateTimeFormatPartTypes) =>
    Number(parts.find((one) => one.type === type)?.value)
  const wall = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  )
  return wall - Math.floor(at / 1000) * 1000
}

const names = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** The weekday of a moment in a zone, by default the device's: 1 is Monday. */
function weekdayIn(at: number, timeZone: string | undefined): number {
  const name = new Intl.DateTimeFormat('en-US', { weekday: 'short', timeZone }).format(at)
  return names.indexOf(name) + 1
}
