import { renderHook } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { useCloseRequest } from './use-close-request'

class FakeWatcher {
  static open: FakeWatcher[] = []
  onclose: (() => void) | null = null
  constructor() {
    FakeWatcher.open.push(this)
  }
  destroy(): void {
    FakeWatcher.open = FakeWatcher.open.filter((one) => one !== this)
  }
}

afterEach(() => {
  FakeWatcher.open = []
  vi.unstubAllGlobals()
})

test('closes what is open, and watches nothing else', () => {
  vi.stubGlobal('CloseWatcher', FakeWatcher)
  const onClose = vi.fn()
  const { rerender, unmount } = renderHook(({ open }) => useCloseRequest(open, onClose), {
    initialProps: { open: false },
  })
  expect(FakeWatcher.open).toHaveLength(0)
  rerender({ open: true })
  FakeWatcher.open[0]?.onclose?.()
  expect(onClose).toHaveBeenCalledOnce()
  unmount()
  expect(FakeWatcher.open).toHaveLength(0)
})

test('leaves a locked sheet, and a browser without such requests, alone', () => {
  vi.stubGlobal('CloseWatcher', FakeWatcher)
  renderHook(() => useCloseRequest(true, undefined))
  expect(FakeWatcher.open).toHaveLength(0)
  vi.unstubAllGlobals()
  renderHook(() => useCloseRequest(true, () => {}))
})
