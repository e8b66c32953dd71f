import { cleanup, configure } from '@testing-library/react'
import { afterEach, vi } from 'vitest'

// Screens load their parts lazily, and how busy the machine is decides no test.
configure({ asyncUtilTimeout: 30_000 })

// Nothing scrolls in jsdom, and it complains when asked to.
window.scrollTo = () => {}

afterEach(() => {
  vi.useRealTimers() // a test that fails with a stopped clock stops no other one
  cleanup()
  localStorage.clear()
})
