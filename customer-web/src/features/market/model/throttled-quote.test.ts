import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { QuoteStore } from '@/live/quote-store'
import { ROW_INTERVAL_MS } from './row-throttle'
import { ThrottledQuote } from './throttled-quote'

beforeEach(() => vi.useFakeTimers({ now: 1_000_000 }))
afterEach(() => {
  // Ends the interval that rows wait for.
  vi.advanceTimersByTime(1_000)
  vi.useRealTimers()
})

const FRAME_MS = 20
let sequence = 0

function setup() {
  const store = new QuoteStore()
  const paced = new ThrottledQuote(1, store)
  const changed = vi.fn()
  const tick = (bid: string) => {
    sequence += 1
    const time = Date.now()
    store.put({ productId: 1, bid, ask: bid, spread: '0', sequence, time, seenAt: time })
    vi.advanceTimersByTime(FRAME_MS)
  }
  return { store, paced, changed, tick }
}

test('a row changes at most four times a second, and ends on the newest price', () => {
  const { paced, changed, tick } = setup()
  const stop = paced.listen(changed)
  for (let bid = 1; bid <= 50; bid++) tick(String(bid))
  const told = changed.mock.calls.length
  expect(told).toBeGreaterThanOrEqual(4)
  expect(told).toBeLessThanOrEqual(5)
  vi.advanceTimersByTime(ROW_INTERVAL_MS)
  expect(paced.get()?.bid).toBe('50')
  stop()
})

test('the first price after a pause is shown at once', () => {
  const { paced, changed, tick } = setup()
  paced.listen(changed)
  tick('1')
  expect(paced.get()?.bid).toBe('1')
  expect(changed).toHaveBeenCalledOnce()
})

test('who does not listen is not told, and catches up on coming back', () => {
  const { store, paced, changed, tick } = setup()
  const stop = paced.listen(changed)
  tick('1')
  tick('2')
  stop()
  expect(store.watched()).toEqual([])
  tick('3')
  vi.advanceTimersByTime(1_000)
  expect(paced.get()?.bid).toBe('1')
  expect(changed).toHaveBeenCalledOnce()
  paced.listen(changed)
  expect(paced.get()?.bid).toBe('3')
})

test('rows change together at the beat, whenever their lines came', () => {
  const { store, paced, changed, tick } = setup()
  const [other, otherChanged] = [new ThrottledQuote(2, store), vi.fn()]
  paced.listen(changed)
  other.listen(otherChanged)
  const both = () => [changed.mock.calls.length, otherChanged.mock.calls.length]
  const line = { ask: '1', spread: '0', time: 1, seenAt: 1 }
  tick('1')
  store.put({ ...line, productId: 2, bid: '1', sequence: 1 })
  vi.advanceTimersByTime(FRAME_MS)
  expect(both()).toEqual([1, 1])
  store.put({ ...line, productId: 2, bid: '2', sequence: 2 })
  vi.advanceTimersByTime(FRAME_MS)
  tick('2')
  expect(both()).toEqual([1, 1])
  vi.advanceTimersByTime(ROW_INTERVAL_MS)
  expect(both()).toEqual([2, 2])
})

test('several cells of a row share one subscription, which ends with the last of them', () => {
  const { store, paced, tick } = setup()
  const cells = [vi.fn(), vi.fn()]
  const stops = cells.map((cell) => paced.listen(cell))
  tick('1')
  expect(cells.map((cell) => cell.mock.calls.length)).toEqual([1, 1])
  stops[0]?.()
  expect(store.watched()).toEqual([1])
  stops[1]?.()
  expect(store.watched()).toEqual([])
})
