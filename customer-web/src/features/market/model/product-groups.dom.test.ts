import { expect, test } from 'vitest'
import { apple, bitcoin, eurusd, gold, hongKong, sampleProducts } from '@/testing/market-sample'
import { pickProducts } from './pick-products'
import { groupOf, moversOf, nextSort, sortProducts, toSort } from './product-groups'

const symbols = (list: { productNo: string }[]) => list.map(({ productNo }) => productNo)

test('each product stands in one list', () => {
  expect(sampleProducts.map(groupOf)).toEqual([
    'forex',
    'metals',
    'crypto',
    'us_stocks',
    'contracts',
  ])
})

test('ids that no product has are passed over', () => {
  expect(pickProducts(sampleProducts, [301, 9999, 1])).toEqual([apple, eurusd])
})

test('sorts by symbol and by the change of the day, both ways', () => {
  const list = [gold, hongKong, bitcoin]
  expect(symbols(sortProducts(list, 'symbol'))).toEqual(['BTCUSD', 'HK50', 'XAUUSD'])
  expect(symbols(sortProducts(list, '-symbol'))).toEqual(['XAUUSD', 'HK50', 'BTCUSD'])
  const moved = [eurusd, gold, bitcoin]
  expect(symbols(sortProducts(moved, '-change'))).toEqual(['BTCUSD', 'XAUUSD', 'EURUSD'])
  expect(symbols(sortProducts(moved, 'change'))).toEqual(['EURUSD', 'XAUUSD', 'BTCUSD'])
  expect(sortProducts(list, null)).toEqual(list)
})

test('the movers go from the largest gain to the largest loss, without what stands still', () => {
  const still = { ...apple, open24Hours: apple.close24Hours ?? '' }
  expect(symbols(moversOf([eurusd, still, gold, bitcoin]))).toEqual(['BTCUSD', 'XAUUSD', 'EURUSD'])
  expect(symbols(moversOf([eurusd, gold, bitcoin], 2))).toEqual(['BTCUSD', 'XAUUSD'])
})

test('a third press on a head leaves the order', () => {
  expect(nextSort(null, 'symbol')).toBe('symbol')
  expect(nextSort('symbol', 'symbol')).toBe('-symbol')
  expect(nextSort('-symbol', 'symbol')).toBeNull()
  expect(nextSort('symbol', 'change')).toBe('-change')
  expect(nextSort('-change', 'change')).toBe('change')
})

test('an address can only name orders that exist', () => {
  expect(toSort('-change')).toBe('-change')
  expect(toSort('price')).toBeNull()
  expect(toSort(null)).toBeNull()
})
