import { expect, test } from 'vitest'
import { formatLeft } from './use-time-left'

test.each([
  [72 * 3_600_000, '72:00:00'],
  [3_599_000, '00:59:59'],
  [61_000, '00:01:01'],
  [1, '00:00:01'],
  [0, '00:00:00'],
])('%i ms are %s', (ms, text) => {
  expect(formatLeft(ms)).toBe(text)
})
