import { expect, test } from 'vitest'
import { safeParse } from 'zod/mini'
import type { PendingOrderInput } from './pending-order'
import { pendingOrderSchema } from './pending-order-schema'

const NOW = Date.UTC(2026, 10, 27, 12)
const input: PendingOrderInput = {
  price: '1.15',
  limitPrice: '',
  stopLoss: { on: false, price: '' },
  takeProfit: { on: false, price: '' },
  force: 'gtc',
  until: '',
}

const check = (change: Partial<PendingOrderInput>, kind: 'limit' | 'stop_limit' = 'limit') =>
  safeParse(
    pendingOrderSchema(kind, 'utc', () => NOW),
    { ...input, ...change },
  )

const problems = (...args: Parameters<typeof check>) =>
  check(...args).error?.issues.map(({ path, message }) => [path.join('.'), message]) ?? []

test('a complete order becomes the body of its request', () => {
  expect(check({}).data).toEqual({ price: '1.15', timeInForce: 'gtc' })
  expect(
    check(
      {
        limitPrice: '1.16',
        stopLoss: { on: true, price: '1.1' },
        force: 'date',
        until: '2026-11-27T12:01',
      },
      'stop_limit',
    ).data,
  ).toEqual({
    price: '1.15',
    limitPrice: '1.16',
    stopLoss: '1.1',
    timeInForce: 'date',
    expiresAt: NOW + 60_000,
  })
})

test.each<[Partial<PendingOrderInput>, string, string]>([
  [{ price: '' }, 'price', 'field.positive'],
  [{ price: '0.000' }, 'price', 'field.positive'],
  [{ stopLoss: { on: true, price: '' } }, 'stopLoss', 'position.protect.missing'],
  [{ takeProfit: { on: true, price: '0' } }, 'takeProfit', 'position.protect.missing'],
  [{ force: 'date' }, 'until', 'field.date'],
  [{ force: 'date', until: '2026-11-27T12:00' }, 'until', 'field.future'],
])('%j is a problem of %s', (change, field, message) => {
  expect(problems(change)).toEqual([[field, message]])
})

test('only a stop-limit has a limit price; a moment counts only where one is chosen', () => {
  expect(problems({}, 'stop_limit')).toEqual([['limitPrice', 'field.positive']])
  expect(problems({})).toEqual([])
  expect(problems({ force: 'day', until: '2020-01-01T00:00' })).toEqual([])
})
