import { beforeEach, describe, expect, test, vi } from 'vitest'
import { type LiveQuote, QuoteStore } from './quote-store'

let frames: (() => void)[] = []

beforeEach(() => {
  frames = []
  vi.stubGlobal('requestAnimationFrame', (run: () => void) => frames.push(run))
  return () => vi.unstubAllGlobals()
})

/** Runs the requested frames; returns their number. */
function frame(): number {
  const due = frames
  frames = []
  for (const run of due) run()
  return due.length
}

let sequence = 0

function line(productId: number, bid: string): LiveQuote {
  sequence += 1
  return { productId, bid, ask: bid, spread: '0', sequence, time: sequence, seenAt: sequence }
}

/** A store with listeners on products 1 and 2. */
function setup() {
  const store = new QuoteStore()
  const [one, two] = [vi.fn(), vi.fn()]
  const stop = store.listen(1, one)
  store.listen(2, two)
  frame()
  return { store, one, two, stop }
}

describe('listeners', () => {
  test('are told once a frame, however many lines come, and find the newest', () => {
    const { store, one } = setup()
    for (const bid of ['1.1', '1.2', '1.3']) store.put(line(1, bid))
    expect(one).not.toHaveBeenCalled()
    expect(frame()).toBe(1)
    expect(one).toHaveBeenCalledOnce()
    expect(store.get(1)?.bid).toBe('1.3')
  })

  test('are told again in the next frame when there is something new, and only then', () => {
    const { store, one } = setup()
    store.put(line(1, '1.1'))
    frame()
    frame()
    expect(one).toHaveBeenCalledOnce()
    store.put(line(1, '1.2'))
    frame()
    expect(one).toHaveBeenCalledTimes(2)
  })

  test('hear of their own product only', () => {
    const { store, one, two } = setup()
    store.put(line(1, '1.1'))
    frame()
    expect(one).toHaveBeenCalledOnce()
    expect(two).not.toHaveBeenCalled()
  })

  test('hear of new figures of the day as of a line', () => {
    const { store, one, two } = setup()
    store.putDay({ productId: 2, high24Hours: '1.5' })
    frame()
    expect(two).toHaveBeenCalledOnce()
    expect(one).not.toHaveBeenCalled()
    expect(store.day(2)?.high24Hours).toBe('1.5')
    expect(store.day(1)).toBeUndefined()
  })

  test('hear nothing after they have left', () => {
    const { store, one, stop } = setup()
    store.put(line(1, '1.1'))
    stop()
    frame()
    expect(one).not.toHaveBeenCalled()
    expect(store.watched()).toEqual([2])
  })
})

describe('lines', () => {
  test('of products that nobody listens to are kept without asking for a frame', () => {
    const { store } = setup()
    store.put(line(3, '3.1'))
    expect(frames).toEqual([])
    expect(store.get(3)?.bid).toBe('3.1')
    store.put(line(1, '1.1'))
    expect(frames).toHaveLength(1)
  })

  test('older than the known one change nothing', () => {
    const { store, one } = setup()
    const [old, young] = [line(1, '1.1'), line(1, '1.2')]
    store.put(young)
    frame()
    store.put(old)
    expect(frame()).toBe(0)
    expect(store.get(1)?.bid).toBe('1.2')
    expect(one).toHaveBeenCalledOnce()
  })
})

test('a hidden tab, which has no frames, keeps the newest line and tells it in the first frame after', () => {
  const { store, one } = setup()
  for (let tick = 1; tick <= 100; tick++) store.put(line(1, `1.${tick}`))
  expect(frames).toHaveLength(1)
  expect(one).not.toHaveBeenCalled()
  frame()
  expect(one).toHaveBeenCalledOnce()
  expect(store.get(1)?.bid).toBe('1.100')
})

test('the set of watched products is told once a frame', () => {
  const store = new QuoteStore()
  const watched = vi.fn()
  store.onWatchedChange(watched)
  store.listen(1, () => {})
  store.listen(2, () => {})
  frame()
  expect(watched).toHaveBeenCalledOnce()
  // A second listener of a watched product changes nothing.
  store.listen(1, () => {})
  expect(frame()).toBe(0)
})
