import { act, render, screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { startI18n } from '@/i18n/i18n'
import { LoadingOverlay } from './loading-overlay'

beforeEach(async () => {
  await startI18n(() => {})
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})

const wait = (time: number) => act(() => vi.advanceTimersByTime(time))
const shown = () => screen.queryByRole('status', { name: 'Loading' }) !== null

test('appears after 50 ms and leaves 220 ms after the navigation', () => {
  const { rerender } = render(<LoadingOverlay active />)
  wait(49)
  expect(shown()).toBe(false)
  wait(1)
  expect(shown()).toBe(true)
  rerender(<LoadingOverlay active={false} />)
  wait(219)
  expect(shown()).toBe(true)
  wait(1)
  expect(shown()).toBe(false)
})

test('does not appear for a navigation of less than 50 ms', () => {
  const { rerender } = render(<LoadingOverlay active />)
  wait(40)
  rerender(<LoadingOverlay active={false} />)
  wait(1000)
  expect(shown()).toBe(false)
})
