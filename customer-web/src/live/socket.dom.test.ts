import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { LiveSocket, reconnectDelay } from './socket'

/** A socket that the test opens and closes. */
class FakeSocket {
  static all: FakeSocket[] = []
  readyState = 0
  onopen: (() => void) | null = null
  onmessage: ((event: { data: unknown }) => void) | null = null
  onclose: ((event: { code: number }) => void) | null = null
  constructor() {
    FakeSocket.all.push(this)
  }
  send(): void {}
  close(): void {}
  opens(): void {
    this.onopen?.()
  }
  closes(code: number): void {
    this.onclose?.({ code })
  }
}

const newest = (): FakeSocket => FakeSocket.all[FakeSocket.all.length - 1] as FakeSocket
const attempts = (): number => FakeSocket.all.length
let hidden = false
let live: LiveSocket

beforeEach(() => {
  FakeSocket.all = []
  hidden = false
  vi.useFakeTimers()
  vi.spyOn(Math, 'random').mockReturnValue(0)
  vi.spyOn(document, 'hidden', 'get').mockImplementation(() => hidden)
  live = new LiveSocket(
    { onState: () => {}, onFrame: () => {}, onResync: () => {} },
    () => new FakeSocket() as unknown as WebSocket,
  )
  live.start()
})

afterEach(() => {
  live.stop()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test('ends with the network, though nothing says so, and tries again when it is back', () => {
  const states: string[] = []
  const socket = new LiveSocket(
    { onState: (state) => states.push(state), onFrame: () => {}, onResync: () => {} },
    () => new FakeSocket() as unknown as WebSocket,
  )
  socket.start()
  newest().opens()
  window.dispatchEvent(new Event('offline'))
  expect(states).toEqual(['connecting', 'open', 'closed'])
  window.dispatchEvent(new Event('online'))
  vi.advanceTimersByTime(1)
  expect(states.at(-1)).toBe('connecting')
  socket.stop()
})

describe('a socket that comes back', () => {
  test('waits longer after each refusal, and no longer than 30 s', () => {
    for (const wait of [3_000, 6_000, 12_000, 24_000, 30_000, 30_000]) {
      newest().closes(1006)
      const before = attempts()
      vi.advanceTimersByTime(wait - 1)
      expect(attempts()).toBe(before)
      vi.advanceTimersByTime(1)
      expect(attempts()).toBe(before + 1)
    }
  })

  test('begins anew with 3 s once it was open', () => {
    newest().closes(1006)
    vi.advanceTimersByTime(3_000)
    newest().closes(1006)
    vi.advanceTimersByTime(6_000)
    newest().opens()
    newest().closes(1001)
    vi.advanceTimersByTime(3_000)
    expect(attempts()).toBe(4)
  })

  test('waits longer when it is closed again and again for want of room', () => {
    for (const wait of [3_000, 6_000, 12_000]) {
      newest().opens()
      newest().closes(1013)
      const before = attempts()
      vi.advanceTimersByTime(wait - 1)
      expect(attempts()).toBe(before)
      vi.advanceTimersByTime(1)
      expect(attempts()).toBe(before + 1)
    }
    newest().opens()
    vi.advanceTimersByTime(60_000)
    newest().closes(1013)
    vi.advanceTimersByTime(3_000)
    expect(attempts()).toBe(5)
  })

  test('spreads the clients over half the wait again', () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.999)
    expect(reconnectDelay(0)).toBeCloseTo(4_498.5)
    expect(reconnectDelay(9)).toBeCloseTo(44_985)
  })
})

describe('a page out of sight', () => {
  test('leaves its place to others until it is looked at', () => {
    hidden = true
    newest().opens()
    newest().closes(1013)
    vi.advanceTimersByTime(600_000)
    expect(attempts()).toBe(1)
    hidden = false
    document.dispatchEvent(new Event('visibilitychange'))
    vi.advanceTimersByTime(0)
    expect(attempts()).toBe(2)
  })

  test('comes back by itself after any other end', () => {
    hidden = true
    newest().opens()
    newest().closes(1001)
    vi.advanceTimersByTime(3_000)
    expect(attempts()).toBe(2)
  })
})

test('the network coming back ends a long wait, and opens no second socket', () => {
  newest().closes(1006)
  window.dispatchEvent(new Event('online'))
  vi.advanceTimersByTime(0)
  expect(attempts()).toBe(2)
  window.dispatchEvent(new Event('online'))
  vi.advanceTimersByTime(600_000)
  expect(attempts()).toBe(2)
})

test('a socket that was stopped stays away', () => {
  live.stop()
  newest().closes(1000)
  window.dispatchEvent(new Event('online'))
  vi.advanceTimersByTime(600_000)
  expect(attempts()).toBe(1)
})
