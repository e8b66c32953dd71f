import { expect, test } from 'vitest'
import { formatLots, typedLots } from './lots'

test('without its product a volume is written like an amount', () => {
  expect(formatLots(undefined, '1')).toBe('1')
  expect(formatLots(undefined, '0.500000')).toBe('0.50')
})

test.each([
  ['0.01', '0.2', '0.20'],
  ['0.01', '1', '1.00'],
  ['0.1', '0.500000', '0.5'],
  ['1', '1200', '1,200'],
  ['0.10', '0.25', '0.25'],
  ['0.01', '', '–'],
])('on steps of %s a volume of %s is %s', (lotStep, lots, text) => {
  expect(formatLots({ lotStep }, lots)).toBe(text)
})

test('a volume in a field has no grouping', () => {
  expect(typedLots({ lotStep: '0.01' }, '0.2')).toBe('0.20')
  expect(typedLots({ lotStep: '1' }, '1200')).toBe('1200')
})
