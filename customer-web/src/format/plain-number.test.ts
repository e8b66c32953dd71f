import { expect, test } from 'vitest'
import { groupDigits } from './decimal'
import { filterNumeric, toPlainNumber } from './numeric-input'

test.each([
  ['1', '1'],
  ['999.5', '999.5'],
  ['1234', '1,234'],
  ['92052.37', '92,052.37'],
  ['1234567.', '1,234,567.'],
])('%s is grouped as %s, and read back', (typed, shown) => {
  expect(groupDigits(typed)).toBe(shown)
  expect(toPlainNumber(shown)).toBe(typed)
})

test.each([
  ['1,15', '1.15'],
  ['95000,5', '95000.5'],
  ['0,015', '0.015'],
  ['1,500', '1500'],
  ['1,000,000', '1000000'],
  ['1.000,50', '1000.50'],
  ['92 052,37', '92052.37'],
  ['92\u00a0052', '92052'],
  ['1000.50,', '1000.50,'],
  ['\u22121,234.56', '\u22121234.56'],
  ['-1,500', '-1500'],
  ['+1.500,25', '+1500.25'],
  ['1.234.567', '1234567'],
  ['٣،٥', '3.5'],
  ['', ''],
])('%s is read as %s', (typed, plain) => expect(toPlainNumber(typed)).toBe(plain))

test.each([
  ['0,02', '0.02'],
  ['100,5', '100.5'],
  ['1000,50', '1000.50'],
])('a decimal comma typed key by key: %s', (keys, kept) => {
  const type = (value: string, key: string) => filterNumeric(toPlainNumber(value + key))
  expect([...keys].reduce(type, '')).toBe(kept)
})
