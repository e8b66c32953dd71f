import { expect, test } from 'vitest'
import { toScaled } from '@/format/arithmetic'
import { sampleProduct } from '@/testing/market-sample'
import { estimateProfit } from './estimate'
import { type OpenLots, stopOutPrice } from './stop-out-price'

const units = (text: string) => toScaled(text, 6) ?? 0n
const account = (rest: string, used: string) => ({ rest: units(rest), used: units(used) })

const euro = sampleProduct({})
const yen = sampleProduct({
  productId: 9,
  productNo: 'USDJPY',
  base: 'USD',
  quote: 'JPY',
  point: 3,
  conversion: { productId: 9, inverse: true, point: 3 },
})
const quotes: Record<number, { bid: string; ask: string }> = {
  1: { bid: '1.15824', ask: '1.15836' },
  9: { bid: '150.000', ask: '150.010' },
}
const read = (id: number) => quotes[id]

const buy = (lots: string, openPrice = '1.15824'): OpenLots => ({ side: 'buy', lots, openPrice })
const sell = (lots: string, openPrice = '1.15836'): OpenLots => ({ side: 'sell', lots, openPrice })

test('a bought lot: the bid at which equity is half the used margin', () => {
  // 1,000 less 10 per pip: half of 1,158.24 is left after 42.088 pips.
  expect(stopOutPrice(euro, [buy('1')], account('1000', '1158.24'), read)).toEqual({
    price: '1.15403',
    of: 'bid',
  })
})

test('a sold lot: the ask, above', () => {
  expect(stopOutPrice(euro, [sell('1')], account('1000', '1158.24'), read)).toEqual({
    price: '1.16257',
    of: 'ask',
  })
})

test('all lots of the product count, what is hedged does not move', () => {
  const open = [buy('1'), buy('0.5', '1.15000'), sell('1.5')]
  expect(stopOutPrice(euro, open, account('5000', '1000'), read)).toBeNull()
  expect(stopOutPrice(euro, [...open, buy('0.5')], account('5000', '1000'), read)?.of).toBe('bid')
})

test('it is the first price at which the level is 50 %, and no earlier one', () => {
  const open = [buy('0.3', '1.16000'), buy('0.45', '1.15111')]
  const { rest, used } = account('777.77', '431.19')
  const found = stopOutPrice(euro, open, { rest, used }, read)
  const equity = (bid: string) =>
    open.reduce(
      (sum, { side, lots, openPrice }) =>
        sum + units(estimateProfit(euro, { side, lots, open: openPrice, close: bid }, read) ?? ''),
      rest,
    )
  const price = toScaled(found?.price ?? '', 5) ?? 0n
  const at = (scaled: bigint) =>
    `${scaled / 100_000n}.${(scaled % 100_000n).toString().padStart(5, '0')}`
  expect(equity(at(price)) * 2n <= used).toBe(true)
  expect(equity(at(price + 1n)) * 2n <= used).toBe(false)
})

test('a rate that the product itself makes moves with it', () => {
  // 100,000 × (p − 150) ÷ p is below the required −500 at 149.253.
  const { price, of } = stopOutPrice(
    yen,
    [{ side: 'buy', lots: '1', openPrice: '150.000' }],
    account('1000', '1000'),
    read,
  ) ?? { price: '' }
  expect(of).toBe('bid')
  expect(price).toBe('149.253')
})

test('no price when none would do it', () => {
  // Half a lot can lose 57,912 at most.
  expect(stopOutPrice(euro, [buy('0.5')], account('60000', '100'), read)).toBeNull()
  expect(stopOutPrice(euro, [buy('0.5')], account('57900', '100'), read)?.of).toBe('bid')
})

test('without used margin it starts when no equity is left', () => {
  expect(stopOutPrice(euro, [buy('1')], account('100', '0'), read)?.price).toBe('1.15724')
})

test('an account that is there already starts at the price of now', () => {
  expect(stopOutPrice(euro, [buy('1')], account('400', '1000'), read)?.price).toBe('1.15824')
  expect(stopOutPrice(euro, [sell('1')], account('400', '1000'), read)?.price).toBe('1.15836')
})

test('nothing is said without positions, prices or a rate', () => {
  expect(stopOutPrice(euro, [], account('1000', '1000'), read)).toBeNull()
  expect(stopOutPrice(euro, [buy('1')], account('1', '1000'), () => undefined)).toBeNull()
  const cross = sampleProduct({ conversion: { productId: 77, inverse: false, point: 5 } })
  expect(stopOutPrice(cross, [buy('1')], account('1', '1000'), read)).toBeNull()
})
