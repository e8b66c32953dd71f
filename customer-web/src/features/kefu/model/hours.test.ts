import { describe, expect, test } from 'vitest'
import type { TimeStyle } from '@/format/time'
import { holidaysText, hoursText, spansOf } from './hours'

const style: TimeStyle = { tag: 'en-GB', hourCycle: '24', timeZone: 'utc' }
/** A Wednesday in winter, and one in summer. */
const WINTER = Date.UTC(2026, 0, 14, 12)
const SUMMER = Date.UTC(2026, 6, 15, 12)
const day = (weekday: number, zone = 'UTC', opens = 540, closes = 1080) => ({
  weekday,
  opens,
  closes,
  zone,
})
const text = (hours: Parameters<typeof spansOf>[0], now = WINTER) =>
  hoursText(spansOf(hours, now, style), style.tag).replace(/[\u2066\u2069]/g, '')

describe('hours', () => {
  test('of days in a row with the same times go together', () => {
    expect(text([1, 2, 3, 4, 5].map((one) => day(one)))).toBe('Monday–Friday 09:00–18:00')
  })

  test('that differ stand apart, Sunday last', () => {
    expect(text([day(0, 'UTC', 600, 840), day(1), day(2), day(4)])).toBe(
      'Monday–Tuesday 09:00–18:00, Thursday 09:00–18:00 and Sunday 10:00–14:00',
    )
  })

  test('of a day with a break name both times, and group as days do', () => {
    const split = [1, 2, 3].flatMap((one) => [
      day(one, 'UTC', 780, 1080),
      day(one, 'UTC', 540, 720),
    ])
    expect(text(split)).toBe('Monday–Wednesday 09:00–12:00 / 13:00–18:00')
    expect(text([...split, day(4, 'UTC', 540, 720)])).toBe(
      'Monday–Wednesday 09:00–12:00 / 13:00–18:00 and Thursday 09:00–12:00',
    )
  })

  test('of the whole week name no day', () => {
    expect(text([0, 1, 2, 3, 4, 5, 6].map((one) => day(one)))).toBe('09:00–18:00')
  })

  test('are those of the reader’s zone, with its summer time', () => {
    expect(text([day(3, 'Europe/Zurich')])).toBe('Wednesday 08:00–17:00')
    expect(text([day(3, 'Europe/Zurich')], SUMMER)).toBe('Wednesday 07:00–16:00')
  })

  test('may begin on another day here than there', () => {
    expect(text([day(1, 'Asia/Tokyo', 480, 1020)])).toBe('Sunday 23:00–08:00')
    expect(text([day(5, 'America/Los_Angeles', 1020, 1440)])).toBe('Saturday 01:00–08:00')
  })

  test('keep their times left to right in any script', () => {
    expect(hoursText(spansOf([day(1)], WINTER, style), 'ar')).toContain('\u206609:00–18:00\u2069')
  })
})

describe('holidays', () => {
  const closed = (date: string) => `${date} closed`
  const plain = (words: string) => words.replace(/[\u2066-\u2069]/g, '')

  test('say when agents work, and when they do not', () => {
    const eve = Date.UTC(2026, 11, 24, 9)
    const holidays = [
      { day: '2026-12-24', spans: [{ from: eve, to: eve + 3 * 60 * 60 * 1000 }] },
      { day: '2026-12-25', spans: [] },
    ]
    expect(plain(holidaysText(holidays, style, closed))).toBe('24 Dec 09:00–12:00, 25 Dec closed')
  })

  test('say nothing without any', () => {
    expect(holidaysText([], style, closed)).toBe('')
  })
})
