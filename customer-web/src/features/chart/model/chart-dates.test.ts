import { expect, test } from 'vitest'
import type { TimeStyle } from '@/format/time'
import { chartDate } from './chart-dates'

const style: TimeStyle = { tag: 'en-GB', hourCycle: '24', timeZone: 'Asia/Shanghai' }
const afternoon = Date.UTC(2026, 10, 20, 6, 30)
const midnight = Date.UTC(2026, 10, 19, 16, 0)
const on = (timestamp: number, type: string, template: string) =>
  chartDate({ timestamp, type, template }, style)

test('the crosshair names date and time like the rest of the app', () => {
  expect(on(afternoon, 'crosshair', 'YYYY-MM-DD HH:mm')).toBe('20 Nov 2026, 14:30')
  expect(on(afternoon, 'crosshair', 'YYYY-MM-DD')).toBe('20 Nov 2026')
  expect(
    chartDate(
      { timestamp: afternoon, type: 'crosshair', template: 'YYYY-MM-DD HH:mm' },
      { ...style, tag: 'en-US', hourCycle: '12' },
    ),
  ).toMatch(/^Nov 20, 2026, 02:30\sPM$/)
})

test('the axis names the day only where it begins, in the zone of the trader', () => {
  expect(on(afternoon, 'xAxis', 'HH:mm')).toBe('14:30')
  expect(on(midnight, 'xAxis', 'HH:mm')).toBe('20 Nov')
  expect(on(afternoon, 'xAxis', 'MM-DD HH:mm')).toBe('20 Nov 14:30')
  expect(on(midnight, 'xAxis', 'MM-DD HH:mm')).toBe('20 Nov')
  expect(on(midnight, 'xAxis', 'YYYY-MM-DD')).toBe('20 Nov 2026')
})
