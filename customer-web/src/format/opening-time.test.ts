import { expect, test } from 'vitest'
import { formatOpening, timeLeftToday } from './opening-time'
import type { TimeStyle } from './time'

const saturday = Date.UTC(2026, 10, 21, 1, 0)
const monday = Date.UTC(2026, 10, 23, 1, 15)
const style: TimeStyle = { tag: 'en-US', hourCycle: '24', timeZone: 'utc' }

test('names the weekday, and the zone when it is UTC', () => {
  expect(formatOpening(monday, saturday, style)).toBe('Mon 01:15 UTC')
  expect(formatOpening(monday, saturday, { ...style, hourCycle: '12' })).toMatch(
    /^Mon 01:15\sAM UTC$/,
  )
})

test('names another zone by its offset, and not that of the device', () => {
  expect(formatOpening(monday, saturday, { ...style, timeZone: 'Asia/Tokyo' })).toBe(
    'Mon 10:15 UTC+9',
  )
  expect(formatOpening(monday, saturday, { ...style, timeZone: 'local' })).not.toContain('UTC')
})

test('says today for later on the same day of the zone', () => {
  const early = Date.UTC(2026, 10, 23, 0, 5)
  expect(formatOpening(monday, early, style)).toBe('today 01:15 UTC')
  expect(formatOpening(monday, early, { ...style, tag: 'zh-CN' })).toBe('今天 01:15 UTC')
  expect(formatOpening(monday, early, { ...style, timeZone: 'America/New_York' })).toBe(
    'today 20:15 UTC\u22125',
  )
  expect(formatOpening(monday, early, { ...style, timeZone: 'Atlantic/Azores' })).toBe(
    'Mon 00:15 UTC\u22121',
  )
})

test('names the date when it is a week away', () => {
  expect(formatOpening(Date.UTC(2026, 11, 28, 9, 0), saturday, style)).toBe('Dec 28, 09:00 UTC')
})

test('writes Latin digits in Arabic', () => {
  expect(formatOpening(monday, saturday, { ...style, tag: 'ar' })).toMatch(/01:15/)
})

test('counts the time left only until later today, in the zone of the trader', () => {
  const now = Date.UTC(2026, 10, 23, 8, 38)
  const today = Date.UTC(2026, 10, 23, 14, 30)
  expect(timeLeftToday(today, now, style)).toEqual({ hours: 5, minutes: 52 })
  expect(timeLeftToday(now + 59_000, now, style)).toEqual({ hours: 0, minutes: 1 })
  expect(timeLeftToday(now, now, style)).toBeNull()
  expect(timeLeftToday(today - 24 * 3_600_000, now, style)).toBeNull()
  expect(timeLeftToday(Date.UTC(2026, 10, 24, 1, 0), now, style)).toBeNull()
})
