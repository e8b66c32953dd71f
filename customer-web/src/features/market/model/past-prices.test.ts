import { expect, test } from 'vitest'
import { placeInRange, priceAt, rangeOf } from './past-prices'

const candle = (time: number, open: string, low = open, high = open) => ({ time, open, low, high })
const candles = [candle(10, '1.0'), candle(20, '1.2', '0.9', '1.3'), candle(40, '1.1')]

test('the price at a moment is the open of the candle it falls into', () => {
  expect(priceAt(candles, 10)).toBe('1.0')
  expect(priceAt(candles, 19)).toBe('1.0')
  expect(priceAt(candles, 20)).toBe('1.2')
  expect(priceAt(candles, 99)).toBe('1.1')
})

test('is unknown before the first candle, and without candles', () => {
  expect(priceAt(candles, 9)).toBeUndefined()
  expect(priceAt([], 10)).toBeUndefined()
})

test('the range is that of all candles', () => {
  expect(rangeOf(candles)).toEqual({ low: '0.9', high: '1.3' })
  expect(rangeOf(candles.slice(0, 1))).toEqual({ low: '1.0', high: '1.0' })
  expect(rangeOf([])).toBeNull()
})

test('compares numbers, not texts', () => {
  expect(rangeOf([candle(1, '9.5'), candle(2, '10.5')])).toEqual({ low: '9.5', high: '10.5' })
})

test.each([
  ['1', 0],
  ['2', 0.5],
  ['3', 1],
  ['4', 1],
  ['0', 0],
])('the place of %s', (price, place) => {
  expect(placeInRange(price, { low: '1', high: '3' })).toBe(place)
})

test('a range without width has its middle', () => {
  expect(placeInRange('1', { low: '1', high: '1' })).toBe(0.5)
})
