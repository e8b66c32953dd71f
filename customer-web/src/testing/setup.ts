import { cleanup, configure } from '@testing-library/react'
import { afterEach } from 'vitest'

// Screens load their parts lazily, and a busy machine takes longer than the usual second.
configure({ asyncUtilTimeout: 4000 })

// Nothing scrolls in jsdom, and it complains when asked to.
window.scrollTo = () => {}

afterEach(() => {
  cleanup()
  localStorage.clear()
})
