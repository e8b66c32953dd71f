import { act, renderHook } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { setPreferences, usePreferences } from './preferences'
import { useShownTheme } from './use-shown-theme'

afterEach(() => {
  usePreferences.setState({ themeMode: 'system' })
  vi.unstubAllGlobals()
})

/** A device whose theme can change. */
function device(light: boolean) {
  const events = new EventTarget()
  const list = {
    matches: light,
    addEventListener: events.addEventListener.bind(events),
    removeEventListener: events.removeEventListener.bind(events),
  }
  vi.stubGlobal('matchMedia', () => list)
  return (nowLight: boolean) =>
    act(() => {
      list.matches = nowLight
      events.dispatchEvent(new Event('change'))
    })
}

test('goes with the device, until the trader decides', () => {
  const turn = device(true)
  usePreferences.setState({ themeMode: 'system' })
  const { result } = renderHook(useShownTheme)
  expect(result.current).toBe('light')
  turn(false)
  expect(result.current).toBe('dark')
  act(() => setPreferences({ themeMode: 'light' }))
  expect(result.current).toBe('light')
  turn(true)
  act(() => setPreferences({ themeMode: 'dark' }))
  expect(result.current).toBe('dark')
})
