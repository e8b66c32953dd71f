import { describe, expect, test } from 'vitest'
import { gold, sampleProduct, sampleProducts } from '@/testing/market-sample'
import { searchProducts } from './product-search'

const find = (text: string) =>
  searchProducts(sampleProducts, text, ({ productName }) => productName).map(
    ({ productNo }) => productNo,
  )

test('finds by symbol, however it is written', () => {
  for (const text of ['EURUSD', 'eurusd', 'eur/usd', ' EUR USD ', 'eur']) {
    expect(find(text)[0]).toBe('EURUSD')
  }
})

test('finds by the words of the name', () => {
  expect(find('gold')).toEqual(['XAUUSD'])
  expect(find('kong')).toEqual(['HK50'])
  expect(find('dollar')).toEqual(['EURUSD', 'XAUUSD', 'BTCUSD'])
})

test('puts the symbol before the name', () => {
  const ada = sampleProduct({ productId: 9, productNo: 'GOLDX', productName: 'A share' })
  const found = searchProducts([gold, ada], 'gold', ({ productName }) => productName)
  expect(found[0]).toBe(ada)
})

describe('in another language', () => {
  test('finds the name that is shown, and the English one', () => {
    const search = (text: string) => searchProducts([gold], text, () => '黄金 / 美元')
    expect(search('黄金')).toEqual([gold])
    expect(search('美元')).toEqual([gold])
    expect(search('gold')).toEqual([gold])
  })

  test('does not mind accents', () => {
    expect(searchProducts([gold], 'dolar', () => 'Zlato / americký dolár')).toEqual([gold])
  })
})

test('finds nothing for nothing', () => {
  expect(find('')).toEqual([])
  expect(find('  / ')).toEqual([])
  expect(find('zzz')).toEqual([])
})
