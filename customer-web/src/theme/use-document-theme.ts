import { useLayoutEffect } from 'react'
import { useLanguage } from '@/i18n/use-language'
import { applyTheme } from './apply-theme'
import { usePreferences } from './preferences'
import { useMedia } from './use-media'

/** Puts the trader's theme and price colours on the document, and keeps them there. */
export function useDocumentTheme(): void {
  const { code } = useLanguage()
  const preferences = usePreferences()
  const deviceIsLight = useMedia('(prefers-color-scheme: light)')
  useLayoutEffect(
    () => applyTheme(preferences, code, deviceIsLight),
    [preferences, code, deviceIsLight],
  )
}
