import { expect, test } from 'vitest'
import { distanceUnit, fromUnits, toUnits } from './pips'

const of = (type: 'forex' | 'metal' | 'index' | 'crypto' | 'us_stock', point: number) => ({
  ...{ type, point },
  quote: 'USD',
})

test.each([
  ['a pair with five decimals', of('forex', 5), '0.00015', 'pips', '1.5'],
  ['a yen pair with three', of('forex', 3), '0.015', 'pips', '1.5'],
  ['a pair with four decimals has whole pips', of('forex', 4), '0.0015', 'pips', '15'],
  ['a yen pair with two too', of('forex', 2), '0.15', 'pips', '15'],
  ['gold counts tenths of a dollar', of('metal', 2), '0.35', 'pips', '3.5'],
  ['silver counts cents', of('metal', 3), '0.025', 'pips', '2.5'],
  ['an index counts its own points', of('index', 1), '12.4', 'points', '12.4'],
  ['a coin is money', of('crypto', 2), '87.99', 'money', '87.99'],
  ['a share is money', of('us_stock', 2), '0.05', 'money', '0.05'],
])('%s', (_, product, distance, unit, units) => {
  expect(distanceUnit(product)).toBe(unit)
  expect(toUnits(product, distance)).toBe(units)
  expect(fromUnits(product, units)).toBe(distance)
})

test('what is no number is no distance, and finer than a point is cut', () => {
  expect(toUnits(of('forex', 5), '')).toBeNull()
  expect(fromUnits(of('forex', 5), 'x')).toBeNull()
  expect(fromUnits(of('forex', 5), '1.57')).toBe('0.00015')
})
