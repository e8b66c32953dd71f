import { cleanup, configure } from '@testing-library/react'
import { afterEach, vi } from 'vitest'

// Screens load their parts lazily, and a busy machine takes longer than the usual second.
configure({ asyncUtilTimeout: 12_000 })

// Nothing scrolls in jsdom, and it complains when asked to.
window.scrollTo = () => {}

afterEach(() => {
  vi.useRealTimers() // a test that fails with a stopped clock stops no other one
  cleanup()
  localStorage.clear()
})
