import { expect, test } from 'vitest'
import { eurusd } from '@/testing/market-sample'
import {
  filterTrail,
  isSameDistance,
  isValidTrail,
  suggestTrail,
  trailLimits,
  trailOf,
  trailStart,
  trailText,
} from './trailing'

test('a distance lies between the stop level and the price', () => {
  const limits = trailLimits(eurusd, '1.15824')
  expect(limits).toEqual({ min: '0.00020', max: '1.15823' })
  if (!limits) throw new Error('no limits')
  expect(isValidTrail('0.0002', limits, eurusd)).toBe(true)
  expect(isValidTrail('1.15823', limits, eurusd)).toBe(true)
  expect(isValidTrail('0.00019', limits, eurusd)).toBe(false)
  expect(isValidTrail('1.15824', limits, eurusd)).toBe(false)
  expect(trailLimits(eurusd, undefined)).toBeNull()
  expect(trailLimits({ ...eurusd, stopLevel: 0 }, '1.15824')?.min).toBe('0.00001')
})

test('it starts behind the price: below for a buy, above for a sell', () => {
  expect(trailStart(eurusd, 'buy', '1.15824', '0.001')).toBe('1.15724')
  expect(trailStart(eurusd, 'sell', '1.15836', '0.001')).toBe('1.15936')
  expect(trailStart(eurusd, 'buy', undefined, '0.001')).toBeNull()
  expect(trailStart(eurusd, 'buy', '1.15824', '')).toBeNull()
})

test('the distance that a position has, however it is written, is kept', () => {
  expect(isSameDistance('0.001', '0.00100', eurusd)).toBe(true)
  expect(isSameDistance('0.00101', '0.00100', eurusd)).toBe(false)
  expect(isSameDistance('', '0.00100', eurusd)).toBe(false)
  expect(isSameDistance('0.001', undefined, eurusd)).toBe(false)
  expect(isSameDistance('', undefined, eurusd)).toBe(false)
})

test('half a percent is suggested, but never less than is possible', () => {
  expect(suggestTrail(eurusd, '1.15824')).toBe('0.00579')
  expect(suggestTrail({ ...eurusd, stopLevel: 1000 }, '1.15824')).toBe('0.01000')
})

test('it is typed in pips, or in percent of the price', () => {
  expect(filterTrail('distance', eurusd, '12.55')).toBe('12.5')
  expect(trailOf('distance', eurusd, '1.15824', '12.5')).toBe('0.00125')
  expect(trailText('distance', eurusd, undefined, '0.00125')).toBe('12.5')
  expect(trailOf('percent', eurusd, '1.15824', '0.5')).toBe('0.00579')
  expect(trailText('percent', eurusd, '1.15824', '0.00579')).toBe('0.50')
})

test('text that means no distance is none', () => {
  expect(trailOf('distance', eurusd, '1.15824', '')).toBe('')
  expect(trailOf('percent', eurusd, undefined, '0.5')).toBe('')
  expect(trailText('percent', eurusd, undefined, '0.00579')).toBe('')
})
