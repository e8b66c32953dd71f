import { expect, test } from 'vitest'
import { floatingPercent } from './statistics'

test('floating profit is told against the account without it', () => {
  expect(floatingPercent({ netValue: '10100', totalProfit: '100' })).toBe('1.0000')
  expect(floatingPercent({ netValue: '9900.5', totalProfit: '-99.5' })).toBe('-0.9950')
  expect(floatingPercent({ netValue: '10000', totalProfit: '0' })).toBe('0.0000')
})

test('there is no share of nothing', () => {
  expect(floatingPercent({ netValue: '5', totalProfit: '5' })).toBeNull()
  expect(floatingPercent({ netValue: '', totalProfit: '5' })).toBeNull()
})
