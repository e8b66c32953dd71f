import { shownTheme } from './apply-theme'
import { usePreferences } from './preferences'
import { useMedia } from './use-media'

/** The theme that is shown, as it changes: the trader's, or the device's. */
export function useShownTheme(): 'light' | 'dark' {
  const mode = usePreferences(({ themeMode }) => themeMode)
  return shownTheme(mode, useMedia('(prefers-color-scheme: light)'))
}
