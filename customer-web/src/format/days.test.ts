import { expect, test } from 'vitest'
import { dayIn, dayOf, shiftDay, startOf } from './days'

test('days are calendar days', () => {
  expect(shiftDay('2026-03-01', -1)).toBe('2026-02-28')
  expect(dayIn('2024-02-29')).toBe('2024-02-29')
  expect(dayIn('2026-02-29')).toBeNull()
  expect(dayIn('')).toBeNull()
})

test('a day begins in the trader’s zone', () => {
  expect(startOf('2026-11-20', 'utc')).toBe(Date.UTC(2026, 10, 20))
  const local = startOf('2026-11-21', 'local')
  expect(new Date(local).getHours()).toBe(0)
  expect(dayOf(local, 'local')).toBe('2026-11-21')
  expect(startOf('2026-11-20', 'Asia/Shanghai')).toBe(Date.UTC(2026, 10, 19, 16))
  expect(dayOf(Date.UTC(2026, 10, 19, 16), 'Asia/Shanghai')).toBe('2026-11-20')
  expect(dayOf(Date.UTC(2026, 10, 19, 16) - 1, 'Asia/Shanghai')).toBe('2026-11-19')
})
