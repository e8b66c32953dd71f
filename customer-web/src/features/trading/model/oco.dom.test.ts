import { afterEach, expect, test } from 'vitest'
import { eurusd } from '@/testing/market-sample'
import { editPair, ocoPartnerOf, PAIRS, shapesOf, startPair, usePairDraft } from './oco'

const quote = { bid: '1.15824', ask: '1.15836' }
const untouched = usePairDraft.getState()

afterEach(() => usePairDraft.setState(untouched))

test('a pair is a limit and a stop of one side, or one kind on both sides', () => {
  const names = PAIRS.map((pair) => shapesOf(pair).map(({ side, kind }) => `${side} ${kind}`))
  expect(names).toEqual([
    ['buy limit', 'buy stop'],
    ['sell limit', 'sell stop'],
    ['buy stop', 'sell stop'],
    ['buy limit', 'sell limit'],
  ])
})

test('each of the two starts on the side of the market where it can wait', () => {
  startPair('1 stops', eurusd, 'stops', quote)
  const [up, down] = usePairDraft.getState().inputs
  expect([up.price, down.price]).toEqual(['1.15880', '1.15780'])
})

test('how long they wait holds for both, everything else for one', () => {
  editPair(0, { price: '1.1', force: 'day' })
  editPair(1, { stopLoss: { on: true, price: '1' } })
  const [first, second] = usePairDraft.getState().inputs
  expect(first).toMatchObject({ price: '1.1', force: 'day', stopLoss: { on: false } })
  expect(second).toMatchObject({ price: '', force: 'day', stopLoss: { on: true } })
  startPair('1 buy', eurusd, 'buy', quote)
  expect(usePairDraft.getState().inputs.map(({ force }) => force)).toEqual(['day', 'day'])
  expect(usePairDraft.getState().inputs[1].stopLoss.on).toBe(false)
})

test('only the other order of the same pair is its mate', () => {
  const orders = [
    { orderId: 1 },
    { orderId: 2, ocoId: 2 },
    { orderId: 3, ocoId: 2 },
    { orderId: 4, ocoId: 4 },
  ]
  const partner = (id: number) => {
    const order = orders.find(({ orderId }) => orderId === id)
    return order && ocoPartnerOf(order, orders)?.orderId
  }
  expect([1, 2, 3, 4].map(partner)).toEqual([undefined, 3, 2, undefined])
})
