import { renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { quoteStore } from '@/live/quote-store'
import { useLiveTitle } from './use-live-title'

const product = { productId: 77, productNo: 'EURUSD', point: 5 }
let sequence = 0
const put = (bid: string, productId = product.productId) => {
  sequence += 1
  quoteStore.put({ productId, bid, ask: bid, spread: '0', sequence, time: sequence, seenAt: 1 })
}

beforeEach(() => {
  vi.useFakeTimers()
  document.title = 'EURUSD · Candor'
})
afterEach(() => vi.useRealTimers())

test('shows the price at once, then at most once a second, and the old title afterwards', () => {
  put('1.16012')
  const { unmount } = renderHook(() => useLiveTitle(product))
  expect(document.title).toBe('1.16012 EURUSD · Candor')
  put('1.16013')
  put('1.16014')
  vi.advanceTimersByTime(999)
  expect(document.title).toBe('1.16012 EURUSD · Candor')
  // The store reports prices with the next frame.
  vi.advanceTimersByTime(100)
  expect(document.title).toBe('1.16014 EURUSD · Candor')
  put('1.16015')
  unmount()
  vi.advanceTimersByTime(5000)
  expect(document.title).toBe('EURUSD · Candor')
})

test('leaves the title alone without a product or a price', () => {
  const { rerender } = renderHook(({ shown }) => useLiveTitle(shown), {
    initialProps: { shown: undefined as typeof product | undefined },
  })
  put('1.1', 5)
  vi.advanceTimersByTime(5000)
  expect(document.title).toBe('EURUSD · Candor')
  rerender({ shown: { ...product, productId: 78 } })
  vi.advanceTimersByTime(5000)
  expect(document.title).toBe('EURUSD · Candor')
})
