import { beforeEach, expect, test } from 'vitest'
import { storage } from '@/storage/storage'
import { sampleProduct } from '@/testing/market-sample'
import { defaultLots, setDefaultLots } from './default-lots'
import { isVolume } from './lots'

const euro = sampleProduct({ lotMin: '0.01', lotMax: '50', lotStep: '0.01' })
const other = sampleProduct({ productId: 2, lotMin: '0.01', lotMax: '50', lotStep: '0.01' })

beforeEach(() => storage.remove('defaultLots'))

test('a new order has the smallest volume until the trader sets a default for the product', () => {
  expect(defaultLots(euro)).toBe('0.01')
  setDefaultLots(euro, '0.5')
  expect(defaultLots(euro)).toBe('0.5')
  expect(defaultLots(other)).toBe('0.01')
})

test('a default that the product no longer allows is ignored', () => {
  setDefaultLots(euro, '0.5')
  expect(defaultLots({ ...euro, lotMax: '0.4' })).toBe('0.01')
  expect(defaultLots({ ...euro, lotMin: '1', lotMax: '10', lotStep: '1' })).toBe('1')
})

test.each([
  ['0.01', true],
  ['50', true],
  ['0.37', true],
  ['50.01', false],
  ['0.005', false],
  ['0.015', false],
  ['', false],
  ['x', false],
])('%j is a volume: %s', (lots, is) => {
  expect(isVolume(euro, lots)).toBe(is)
})
