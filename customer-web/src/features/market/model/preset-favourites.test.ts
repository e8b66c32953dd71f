import { expect, test } from 'vitest'
import { PRESET_COUNT, presetFavourites } from './preset-favourites'

const symbols = [
  'EURUSD',
  'XAUUSD',
  'BTCUSD',
  'GBPUSD',
  'USDJPY',
  'ETHUSD',
  'US500',
  'AAPL',
  'EURGBP',
  'HK50',
]
const products = symbols.map((productNo, at) => ({ productId: at + 1, productNo }))
const chosen = (region: string | null, language = 'en') =>
  presetFavourites(products, region, language).map((id) => symbols[id - 1])

test('a country has its own products first, and eight in all', () => {
  expect(chosen('GB').slice(0, 2)).toEqual(['GBPUSD', 'EURGBP'])
  expect(chosen('GB')).toHaveLength(PRESET_COUNT)
  expect(new Set(chosen('GB')).size).toBe(PRESET_COUNT)
})

test('the language decides only where the browser names no country', () => {
  expect(chosen(null, 'zh_CN').slice(0, 2)).toEqual(['XAUUSD', 'HK50'])
  expect(chosen('GB', 'zh_CN')[0]).toBe('GBPUSD')
  expect(chosen('BR')[0]).toBe('EURUSD')
})

test('products that are not there are left out', () => {
  expect(presetFavourites(products.slice(0, 2), 'JP', 'ja')).toEqual([1, 2])
  expect(presetFavourites([], 'JP', 'ja')).toEqual([])
})
