import { expect, test } from 'vitest'
import { calendarOf } from './profit-calendar'

test('weeks begin on Monday, and months are apart, the newest first', () => {
  const [december, november, ...others] = calendarOf(
    '2026-11-28',
    '2026-12-02',
    new Map([['2026-11-30', '-12.5']]),
  )
  expect(others).toEqual([])
  expect(november?.month).toBe('2026-11')
  expect(november?.weeks).toHaveLength(2)
  expect(november?.weeks[0]?.map((cell) => cell?.day)).toEqual([
    ...Array.from({ length: 5 }),
    '2026-11-28',
    '2026-11-29',
  ])
  expect(november?.weeks[1]?.[0]).toEqual({ day: '2026-11-30', net: '-12.5' })
  expect(december?.weeks[0]?.map((cell) => cell?.day)).toEqual([
    undefined,
    '2026-12-01',
    '2026-12-02',
    ...Array.from({ length: 4 }),
  ])
  expect(december?.weeks[0]?.[1]).toEqual({ day: '2026-12-01', net: undefined })
})
