import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { QuoteStore } from '@/live/quote-store'
import { PacedQuote, ROW_PACE_MS } from './paced-quote'

beforeEach(() => vi.useFakeTimers({ now: 1_000_000 }))
afterEach(() => vi.useRealTimers())

const FRAME_MS = 20
let sequence = 0

function setup() {
  const store = new QuoteStore()
  const paced = new PacedQuote(1, store)
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
  vi.advanceTimersByTime(ROW_PACE_MS)
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
