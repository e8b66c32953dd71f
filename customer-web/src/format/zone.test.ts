import { expect, test } from 'vitest'
import { isZone } from '@/storage/zone'
import { formatOffset, momentOf, offsetAt, zoneName, zoneNames } from './zone'

const HOUR_MS = 3_600_000
const winter = Date.UTC(2026, 0, 15)
const summer = Date.UTC(2026, 6, 15)

test('offsets follow daylight saving time, and half hours', () => {
  expect(offsetAt(winter, 'utc')).toBe(0)
  expect(offsetAt(winter, 'Europe/London')).toBe(0)
  expect(offsetAt(summer, 'Europe/London')).toBe(HOUR_MS)
  expect(offsetAt(winter, 'America/New_York')).toBe(-5 * HOUR_MS)
  expect(offsetAt(winter, 'Asia/Kolkata')).toBe(5.5 * HOUR_MS)
})

test('are written short', () => {
  expect(formatOffset(winter, 'utc')).toBe('UTC')
  expect(formatOffset(winter, 'Asia/Shanghai')).toBe('UTC+8')
  expect(formatOffset(winter, 'Asia/Kolkata')).toBe('UTC+5:30')
  expect(formatOffset(winter, 'America/St_Johns')).toBe('UTC−3:30')
})

test('a reading of the clock is a moment, also beside a change of the clock', () => {
  expect(momentOf(Date.UTC(2026, 0, 15, 9), 'Asia/Shanghai')).toBe(Date.UTC(2026, 0, 15, 1))
  // Havana's clocks skip midnight on 8 March 2026: its day begins at 01:00.
  const skipped = momentOf(Date.UTC(2026, 2, 8), 'America/Havana')
  expect(new Date(skipped).toISOString()).toBe('2026-03-08T05:00:00.000Z')
  // Berlin reads 02:30 twice on 25 October 2026: the first of the two.
  const twice = momentOf(Date.UTC(2026, 9, 25, 2, 30), 'Europe/Berlin')
  expect(new Date(twice).toISOString()).toBe('2026-10-25T00:30:00.000Z')
  const later = momentOf(Date.UTC(2026, 9, 25, 3, 30), 'Europe/Berlin')
  expect(new Date(later).toISOString()).toBe('2026-10-25T02:30:00.000Z')
})

test('names are those of the IANA, and a made-up one is no zone', () => {
  expect(zoneName('utc')).toBe('UTC')
  expect(zoneName('Asia/Tokyo')).toBe('Asia/Tokyo')
  expect(zoneName('local')).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone)
  expect(zoneNames()).toContain('Asia/Tokyo')
  for (const zone of ['local', 'utc', 'Asia/Tokyo']) expect(isZone(zone)).toBe(true)
  for (const zone of ['Asia/Atlantis', 'Tokyo', '+08:00', '', 8, null])
    expect(isZone(zone)).toBe(false)
})
