import { describe, expect, test } from 'vitest'
import { sampleProduct } from '@/testing/market-sample'
import { isRefusedTrigger, middleOf, priceAway, suggestPrices } from './pending-order'

const quote = { bid: '1.15824', ask: '1.15836' }
const euro = sampleProduct({ high24Hours: '1.16142', low24Hours: '1.15738' })
const shape = (side: 'buy' | 'sell', kind: 'limit' | 'stop') => ({ side, kind, armed: false })

describe('the first price of a pending order', () => {
  test.each([
    ['buy', 'limit', '1.15795'],
    ['sell', 'stop', '1.15780'],
    ['buy', 'stop', '1.15880'],
    ['sell', 'limit', '1.15865'],
  ] as const)('%s %s is round and a tenth of the range of the day away', (side, kind, price) => {
    expect(suggestPrices(euro, shape(side, kind), quote).price).toBe(price)
  })

  test('is further where the product demands more distance', () => {
    const far = sampleProduct({ stopLevel: 200 })
    expect(suggestPrices(far, shape('buy', 'limit'), quote).price).toBe('1.15400')
  })

  test('is a thousandth away while the range is not known', () => {
    const { high24Hours: _, ...rest } = euro
    expect(suggestPrices(rest, shape('buy', 'limit'), quote).price).toBe('1.15720')
  })
})

test('the helpers give the middle, and a share away on the side where the order can be pending', () => {
  expect(middleOf(euro, quote)).toBe('1.15830')
  expect(priceAway(euro, shape('buy', 'limit'), quote, 1n)).toBe('1.15721')
  expect(priceAway(euro, shape('sell', 'limit'), quote, 1n)).toBe('1.15939')
  expect(priceAway(euro, shape('sell', 'stop'), quote, 10n)).toBe('1.14666')
})

test('a price is refused on the wrong side of the market and within the stop level', () => {
  const refused = (side: 'buy' | 'sell', kind: 'limit' | 'stop', price: string) =>
    isRefusedTrigger(euro, shape(side, kind), quote, price)
  expect(refused('buy', 'limit', '1.15836')).toBe(true)
  expect(refused('buy', 'limit', '1.15817')).toBe(true)
  expect(refused('buy', 'limit', '1.15816')).toBe(false)
  expect(refused('sell', 'limit', '1.15843')).toBe(true)
  expect(refused('sell', 'limit', '1.15844')).toBe(false)
})
