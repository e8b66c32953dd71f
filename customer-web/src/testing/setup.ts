import { webcrypto } from 'node:crypto'
import { cleanup, configure } from '@testing-library/react'
import { afterEach, vi } from 'vitest'

// Screens load lazily, and a busy machine must not fail a test.
configure({ asyncUtilTimeout: 30_000 })

// jsdom has no subtle crypto.
Object.defineProperty(window, 'crypto', { value: webcrypto })

// jsdom does not scroll, and complains when asked to.
window.scrollTo = () => {}

// jsdom lays nothing out, so nothing changes its size.
window.ResizeObserver = class {
  observe() {}
  unobserve() {}
  disconnect() {}
}

afterEach(() => {
  vi.useRealTimers() // a failed test with a stopped clock must not stop the next one
  cleanup()
  localStorage.clear()
})
