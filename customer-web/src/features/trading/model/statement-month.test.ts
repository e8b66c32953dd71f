import { expect, test } from 'vitest'
import { monthsUpTo, periodOfMonth, readMonth } from './statement-month'

const today = '2026-02-10'

test('months go back across the year', () => {
  expect(monthsUpTo(today, 3)).toEqual(['2026-02', '2026-01', '2025-12'])
})

test('an address names a month that has begun, or it is this one', () => {
  expect(readMonth('2025-12', today)).toBe('2025-12')
  expect(readMonth('2026-02', today)).toBe('2026-02')
  for (const text of ['2026-03', '2026-13', '2026-1', 'soon', '', null])
    expect(readMonth(text, today)).toBe('2026-02')
})

test('a month begins and ends in the zone of the trader', () => {
  expect(periodOfMonth('2025-12', 'Asia/Tokyo')).toEqual({
    startTime: Date.UTC(2025, 10, 30, 15),
    endTime: Date.UTC(2025, 11, 31, 15),
  })
})
