import { expect, test } from 'vitest'
import { hedgedLots } from './order-effect'

const leg = (side: 'buy' | 'sell', lots: bigint) => ({ side, lots, leverage: 100, margin: 0n })
const now = (...legs: ReturnType<typeof leg>[]) => ({ legs })

test('an order hedges what is open on the other side beyond its own', () => {
  const open = now(leg('buy', 500_000n), leg('sell', 100_000n))
  expect(hedgedLots(open, { side: 'sell', lots: '0.2' })).toBe('0.200000')
  expect(hedgedLots(open, { side: 'sell', lots: '0.6' })).toBe('0.400000')
})

test('with nothing on the other side it hedges nothing', () => {
  expect(hedgedLots(now(leg('buy', 500_000n)), { side: 'buy', lots: '0.2' })).toBeNull()
  expect(hedgedLots(now(), { side: 'sell', lots: '0.2' })).toBeNull()
})
