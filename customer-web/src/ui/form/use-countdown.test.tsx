import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { formatCountdown } from '@/format/countdown'
import { useCountdown } from './use-countdown'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test('counts whole seconds down to 0, and can start again', () => {
  const { result } = renderHook(useCountdown)
  expect(result.current.left).toBe(0)
  act(() => result.current.start(60))
  expect(result.current.left).toBe(60)
  act(() => vi.advanceTimersByTime(1000))
  expect(result.current.left).toBe(59)
  act(() => vi.advanceTimersByTime(59_000))
  expect(result.current.left).toBe(0)
  expect(vi.getTimerCount()).toBe(0)
  act(() => result.current.start(2))
  expect(result.current.left).toBe(2)
})

test('a page that slept is right at its next tick', () => {
  const { result } = renderHook(useCountdown)
  act(() => result.current.start(60))
  vi.setSystemTime(Date.now() + 45_000)
  act(() => vi.advanceTimersByTime(1000))
  expect(result.current.left).toBe(14)
})

test.each([
  [0, '0:00'],
  [-3, '0:00'],
  [9, '0:09'],
  [60, '1:00'],
  [899.2, '15:00'],
])('%d s is written %s', (seconds, text) => {
  expect(formatCountdown(seconds)).toBe(text)
})
