import { expect, test } from 'vitest'
import type { Wire } from '@/api/client'
import { toScaled } from '@/format/arithmetic'
import { sampleProduct } from '@/testing/market-sample'
import { type Deal, effectOf, exposureAfter, exposureOf, marginLevelOf } from './order-effect'

const units = (text: string) => toScaled(text, 6) ?? 0n

const euro = sampleProduct({
  commissionPerLot: '2',
  marginConversion: { productId: 1, inverse: false, point: 5 },
})
const read = (id: number) => (id === 1 ? { bid: '1.20000', ask: '1.20010' } : undefined)

const held: Wire['Position'] = {
  positionId: 7,
  productId: 1,
  side: 'buy',
  lots: '0.4',
  lotsOpened: '0.4',
  openPrice: '1.19000',
  price: '1.20000',
  leverage: 50,
  margin: '952',
  swap: '0',
  dividends: '0',
  commission: '0.8',
  profit: '400',
  state: 'open',
  openedAt: 1,
}
const other = { ...held, positionId: 3, productId: 101, margin: '100', profit: '-50' }
const statistics = { netValue: '10350', prepaidAmount: '1052', balance: '10000' }
const now = exposureOf(euro, [held, other], statistics)
const sell = (lots: string): Deal => ({ side: 'sell', lots, leverage: 100, price: '1.20000' })
const buy = (lots: string): Deal => ({ side: 'buy', lots, leverage: 100, price: '1.20010' })

test('an order joins, reduces, closes or turns the position of its product', () => {
  expect(effectOf(buy('0.1'), held)).toEqual({ does: 'joins', side: 'buy', lots: '0.500000' })
  expect(effectOf(sell('0.1'), held)).toEqual({ does: 'reduces', side: 'buy', lots: '0.300000' })
  expect(effectOf(sell('0.4'), held).does).toBe('closes')
  expect(effectOf(sell('0.6'), held)).toEqual({ does: 'turns', side: 'sell', lots: '0.200000' })
})

test('a holding is the product’s own positions; the rest of the account stands still', () => {
  expect(now.open).toHaveLength(1)
  expect(now.account).toEqual({ rest: units('9950'), used: units('1052') })
  expect(marginLevelOf(euro, now, read)).toBe('983.85')
})

test('in a hedging account an order stands beside the others, and hedged lots pay once', () => {
  const after = exposureAfter(euro, now, sell('0.4'), undefined, read)
  expect(after?.open).toHaveLength(2)
  // 952 and 480 for 0.8 lots, all hedged, at half.
  expect(after?.account).toEqual({ rest: units('9949.2'), used: units('816') })
})

test('what joins takes the leverage of the position', () => {
  const after = exposureAfter(euro, now, buy('0.1'), held, read)
  expect(after?.legs).toEqual([
    { side: 'buy', lots: units('0.5'), leverage: 50, margin: units('1192.02') },
  ])
  expect(after?.account.used).toBe(units('1292.02'))
})

test('what reduces realises its part and frees its margin', () => {
  const after = exposureAfter(euro, now, sell('0.1'), held, read)
  expect(after?.open).toEqual([{ side: 'buy', lots: '0.300000', openPrice: '1.19000' }])
  expect(after?.account).toEqual({ rest: units('10049.8'), used: units('814') })
})

test('what turns round realises all, and its rest is opened at its own leverage', () => {
  const after = exposureAfter(euro, now, sell('0.6'), held, read)
  expect(after?.open).toEqual([{ side: 'sell', lots: '0.200000', openPrice: '1.20000' }])
  expect(after?.account).toEqual({ rest: units('10348.8'), used: units('340') })
})

test('what closes leaves nothing of the product', () => {
  const after = exposureAfter(euro, now, sell('0.4'), held, read)
  expect(after?.open).toEqual([])
  expect(after?.account).toEqual({ rest: units('10349.2'), used: units('100') })
})

test('nothing is said while a price is missing or no margin is used', () => {
  const cross = { ...euro, conversion: { productId: 77, inverse: false, point: 5 } }
  expect(exposureAfter(cross, now, sell('0.4'), undefined, read)).toBeNull()
  expect(exposureAfter(cross, now, sell('0.4'), held, read)).toBeNull()
  expect(marginLevelOf(euro, now, () => undefined)).toBeNull()
  expect(marginLevelOf(euro, { ...now, account: { rest: 1n, used: 0n } }, read)).toBeNull()
})
