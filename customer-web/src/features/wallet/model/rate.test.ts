import { expect, test } from 'vitest'
import { rateText } from './rate'

test('a rate below one is turned round', () => {
  expect(rateText({ from: 'USDT', to: 'BTC', rate: '0.000010809129' })).toBe(
    '1 BTC = 92,514.39 USDT',
  )
  expect(rateText({ from: 'BTC', to: 'ETH', rate: '0.5' })).toBe('1 ETH = 2 BTC')
})

test('a rate of one or more stays, in cents where it is large', () => {
  expect(rateText({ from: 'BTC', to: 'USDT', rate: '92514.364812' })).toBe('1 BTC = 92,514.36 USDT')
  expect(rateText({ from: 'BTC', to: 'ETH', rate: '30.1234567' })).toBe('1 BTC = 30.123457 ETH')
  expect(rateText({ from: 'USDT', to: 'USD', rate: '1' })).toBe('1 USDT = 1 USD')
})

test('no rate is divided by', () => {
  expect(rateText({ from: 'USDT', to: 'BTC', rate: '0' })).toBe('1 USDT = 0 BTC')
})
