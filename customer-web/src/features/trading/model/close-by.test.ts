import { expect, test } from 'vitest'
import type { Wire } from '@/api/client'
import { eurusd } from '@/testing/market-sample'
import { oppositePositions, settle } from './close-by'

const position = (change: Partial<Wire['Position']>): Wire['Position'] => ({
  positionId: 1,
  productId: eurusd.productId,
  side: 'buy',
  lots: '0.2',
  lotsOpened: '0.2',
  openPrice: '1.15800',
  leverage: 100,
  margin: '0',
  swap: '0',
  dividends: '0.000000',
  commission: '0',
  profit: '0',
  state: 'open',
  openedAt: 0,
  ...change,
})

const none = () => undefined

test('only the other side of the same product faces a position', () => {
  const buy = position({})
  const sell = position({ positionId: 2, side: 'sell' })
  const gold = position({ positionId: 3, side: 'sell', productId: 101 })
  const alike = position({ positionId: 4 })
  expect(oppositePositions(buy, [buy, sell, gold, alike])).toEqual([sell])
  expect(oppositePositions(sell, [buy, sell, gold, alike])).toEqual([buy, alike])
})

test('the first closes at the open price of the second, as far as the smaller reaches', () => {
  const buy = position({})
  const sell = position({ positionId: 2, side: 'sell', lots: '0.05', openPrice: '1.15900' })
  const sum = settle(eurusd, buy, sell, none)
  expect(sum).toMatchObject({ lots: '0.05', profit: '5.000000', problem: null })
  expect(sum.stays).toEqual({ position: buy, lots: '0.150000' })
  // The other way round the sell realises it, at the buy's open price.
  expect(settle(eurusd, sell, buy, none)).toMatchObject({ lots: '0.05', profit: '5.000000' })
})

test('equal ones leave nothing, and both closings are paid for', () => {
  const paid = { ...eurusd, commissionPerLot: '3.5' }
  const sell = position({ positionId: 2, side: 'sell', openPrice: '1.15700' })
  const sum = settle(paid, position({}), sell, none)
  expect(sum).toMatchObject({ stays: null, profit: '-20.000000', commission: '1.400000' })
})

test('a rest below the minimum can’t stay', () => {
  const sell = position({ positionId: 2, side: 'sell', lots: '0.195' })
  const coarse = { ...eurusd, lotStep: '0.005' }
  expect(settle(coarse, position({}), sell, none).problem).toBe('rest')
  expect(
    settle(coarse, position({}), position({ side: 'sell', lots: '0.19' }), none).problem,
  ).toBeNull()
})
