import { useLayoutEffect } from 'react'
import { useLanguage } from '@/i18n/use-language'
import { applyTheme } from './apply-theme'
import { usePreferences } from './preferences'
import { useMedia } from './use-media'

/** Applies the trader's theme and price colours to the document and keeps them up to date. */
export function useDocumentTheme(): void {
  const { code } = useLanguage()
  const preferences = usePreferences()
  const deviceIsLight = useMedia('(prefers-color-scheme: light)')
  useLayoutEffect(
    () => applyTheme(preferences, code, deviceIsLight),
    [preferences, code, deviceIsLight],
  )
}
