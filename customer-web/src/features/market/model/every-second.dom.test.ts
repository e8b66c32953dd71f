import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { everySecond } from './every-second'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  hide(false)
})

function hide(hidden: boolean) {
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(hidden)
  document.dispatchEvent(new Event('visibilitychange'))
}

test('all hear each second, until they leave', () => {
  const [one, two] = [vi.fn(), vi.fn()]
  const stops = [one, two].map(everySecond)
  vi.advanceTimersByTime(2_000)
  stops[0]?.()
  vi.advanceTimersByTime(1_000)
  stops[1]?.()
  vi.advanceTimersByTime(5_000)
  expect(one).toHaveBeenCalledTimes(2)
  expect(two).toHaveBeenCalledTimes(3)
  expect(vi.getTimerCount()).toBe(0)
})

test('in a hidden tab nobody hears anything, and all at once when it shows again', () => {
  const hear = vi.fn()
  const stop = everySecond(hear)
  hide(true)
  vi.advanceTimersByTime(10_000)
  expect(hear).not.toHaveBeenCalled()
  hide(false)
  expect(hear).toHaveBeenCalledOnce()
  stop()
})
