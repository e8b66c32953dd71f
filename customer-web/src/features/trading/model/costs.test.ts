import { expect, test } from 'vitest'
import { costsOf } from './costs'

test('commission is taken off what swap and dividends charge or pay', () => {
  expect(costsOf({ commission: '0.7', swap: '-3.12', dividends: '0' })).toBe('-3.820000')
  expect(costsOf({ commission: '0.7', swap: '0', dividends: '2.6' })).toBe('1.900000')
})

test('a position without costs has none', () => {
  expect(costsOf({ commission: '0', swap: '0', dividends: '0' })).toBe('0.000000')
})
