import type { LanguageCode } from '@/i18n/languages'
import { defaultDirection, type Preferences } from './preferences'

/** Colours of the browser's bars; the values of --surface-1 in tokens.css. */
const barColor = { light: '#FFFFFF', dark: '#0B0E11' } as const

/** The displayed theme: the trader's, or the device's. */
export function shownTheme(
  mode: Preferences['themeMode'],
  deviceIsLight: boolean,
): 'light' | 'dark' {
  if (mode !== 'system') return mode
  return deviceIsLight ? 'light' : 'dark'
}

/** Sets the attributes of <html> used by the tokens; boot.js does the same before the first paint. */
export function applyTheme(
  preferences: Preferences,
  language: LanguageCode,
  deviceIsLight: boolean,
): void {
  const theme = shownTheme(preferences.themeMode, deviceIsLight)
  const { dataset } = document.documentElement
  dataset.theme = theme
  dataset.direction = preferences.direction ?? defaultDirection(language)
  if (preferences.reduceMotion) dataset.motion = 'reduce'
  else delete dataset.motion
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', barColor[theme])
}
