import { expect, test } from 'vitest'
import { formatShortWeekday, formatWeekday } from './weekday'

test('1 is Monday and 7 is Sunday, in the language that is asked for', () => {
  expect(formatWeekday(1, 'en-US')).toBe('Monday')
  expect(formatShortWeekday(7, 'en-US')).toBe('Sun')
  expect(formatWeekday(3, 'en-US')).toBe('Wednesday')
  expect(formatWeekday(7, 'en-US')).toBe('Sunday')
  expect(formatWeekday(3, 'zh-Hans-CN')).toBe('星期三')
  expect(formatWeekday(3, 'ar')).toBe('الأربعاء')
})
