import { act } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { useLive } from '@/live/live'
import { renderPart } from '@/testing/render-app'
import { OfflineHost } from './offline-host'

const stale = () => document.documentElement.hasAttribute('data-stale')

afterEach(() => {
  vi.useRealTimers()
  useLive.setState({ socket: 'closed', lastMessageAt: 0 })
})

test('numbers are grey while no quotes arrive any more, and not before the first', async () => {
  await renderPart(<OfflineHost />)
  vi.useFakeTimers()
  act(() => useLive.setState({ socket: 'connecting', lastMessageAt: 0 }))
  act(() => vi.advanceTimersByTime(6_000))
  expect(stale()).toBe(false)
  act(() => useLive.setState({ socket: 'open', lastMessageAt: Date.now() }))
  expect(stale()).toBe(false)
  act(() => useLive.setState({ socket: 'closed' }))
  act(() => vi.advanceTimersByTime(4_900))
  expect(stale()).toBe(false)
  act(() => vi.advanceTimersByTime(200))
  expect(stale()).toBe(true)
  act(() => useLive.setState({ socket: 'open' }))
  expect(stale()).toBe(false)
})
