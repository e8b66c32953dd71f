import { expect, test } from 'vitest'
import { groupDigits, ungroupDigits } from './decimal'

test.each([
  ['92052.37', '92,052.37'],
  ['1092052.', '1,092,052.'],
  ['0.00012345', '0.00012345'],
  ['', ''],
])('%s is shown as %s, and read back', (typed, shown) => {
  expect(groupDigits(typed)).toBe(shown)
  expect(ungroupDigits(shown)).toBe(typed)
})

test('a comma that separates no thousands stays', () => {
  expect(ungroupDigits('1,15')).toBe('1,15')
})
