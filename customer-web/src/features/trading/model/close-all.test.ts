import { expect, test } from 'vitest'
import { inScope, profitOf } from './close-all'

const positions = [
  { positionId: 1, productId: 1, side: 'buy', profit: '10.25' },
  { positionId: 2, productId: 1, side: 'sell', profit: '-4.5' },
  { positionId: 3, productId: 101, side: 'buy', profit: '-20' },
] as const

const ids = (scope: Parameters<typeof inScope>[1]) =>
  inScope(positions, scope).map(({ positionId }) => positionId)

test('a scope is all, one product, one side, or both', () => {
  expect(ids({})).toEqual([1, 2, 3])
  expect(ids({ productId: 1 })).toEqual([1, 2])
  expect(ids({ side: 'buy' })).toEqual([1, 3])
  expect(ids({ productId: 101, side: 'sell' })).toEqual([])
})

test('profits are added exactly', () => {
  expect(profitOf(positions)).toBe('-14.250000')
  expect(profitOf([])).toBe('0.000000')
})
