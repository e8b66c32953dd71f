import { expect, test } from 'vitest'
import { sampleProduct } from '@/testing/market-sample'
import {
  amountAt,
  filterAmount,
  isTooNear,
  liesBelow,
  nearestPrice,
  priceFor,
  signedAmount,
} from './protection'

const own = { productId: 0, inverse: false, point: 0 }
const euro = sampleProduct({ point: 5, stopLevel: 20, contractSize: 100_000, conversion: own })
const yen = sampleProduct({
  point: 3,
  stopLevel: 30,
  contractSize: 100_000,
  conversion: { productId: 3, inverse: true, point: 3 },
})
const quote = { bid: '1.39300', ask: '1.39304' }
const rates = (id: number) => (id === 3 ? { bid: '102.400', ask: '102.402' } : undefined)
const long = { side: 'buy', lots: '0.2', openPrice: '1.39203' } as const
const short = { side: 'sell', lots: '0.2', openPrice: '142.128' } as const

test('a protection lies on its side of the price that would close, the product’s distance away', () => {
  expect(nearestPrice(euro, 'buy', 'stopLoss', quote)).toBe('1.39280')
  expect(nearestPrice(euro, 'buy', 'takeProfit', quote)).toBe('1.39320')
  expect(nearestPrice(euro, 'sell', 'stopLoss', quote)).toBe('1.39324')
  expect(nearestPrice(euro, 'sell', 'takeProfit', quote)).toBe('1.39284')
  expect(nearestPrice({ ...euro, stopLevel: 0 }, 'buy', 'stopLoss', quote)).toBe('1.39299')
  expect(liesBelow('sell', 'takeProfit')).toBe(true)
})

test('the nearest price itself is far enough', () => {
  expect(isTooNear('1.39280', '1.39280', true, euro)).toBe(false)
  expect(isTooNear('1.39281', '1.39280', true, euro)).toBe(true)
  expect(isTooNear('1.39319', '1.39320', false, euro)).toBe(true)
  expect(isTooNear('', '1.39320', false, euro)).toBe(false)
})

test('price and amount follow each other', () => {
  expect(amountAt(euro, long, '1.38703', rates)).toBe('-100.000000')
  expect(priceFor(euro, long, '-100', rates)).toBe('1.38703')
  expect(priceFor(euro, long, '62.4', rates)).toBe('1.39515')
})

test('they do so through a rate, and for a sell the other way round', () => {
  const price = priceFor(yen, short, '50', rates)
  expect(price).toBe('141.872')
  expect(amountAt(yen, short, price ?? '', rates)).toBe('49.999512')
  expect(priceFor(yen, short, '50', () => undefined)).toBeNull()
})

test('an impossible amount has no price', () => {
  expect(priceFor(euro, long, '-99999999', rates)).toBeNull()
  expect(priceFor(euro, long, '', rates)).toBeNull()
})

test('an amount keeps its sign, and gets the one that is meant', () => {
  expect(filterAmount('-12.345')).toBe('\u221212.34')
  expect(filterAmount(' +5 USDT')).toBe('+5')
  expect(filterAmount('٣٣')).toBe('33')
  expect(signedAmount('100', 'stopLoss')).toBe('-100')
  expect(signedAmount('+100', 'stopLoss')).toBe('100')
  expect(signedAmount('100.', 'takeProfit')).toBe('100')
  expect(signedAmount('\u22125', 'takeProfit')).toBe('-5')
  expect(signedAmount('-', 'stopLoss')).toBe('')
})
