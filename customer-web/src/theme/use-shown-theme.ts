import { shownTheme } from './apply-theme'
import { usePreferences } from './preferences'
import { useMedia } from './use-media'

/** The displayed theme, kept up to date: the trader's, or the device's. */
export function useShownTheme(): 'light' | 'dark' {
  const mode = usePreferences(({ themeMode }) => themeMode)
  return shownTheme(mode, useMedia('(prefers-color-scheme: light)'))
}
