import createCache, { type EmotionCache } from '@emotion/cache'
import { CacheProvider } from '@emotion/react'
import { ThemeProvider } from '@mui/material/styles'
import rtlPlugin from '@mui/stylis-plugin-rtl'
import type { ReactNode } from 'react'
import { useLanguage } from '@/i18n/use-language'
import { muiTheme } from './mui-theme'
import { usePreferences } from './preferences'

export type MuiRootProps = { children: ReactNode }

const caches = new Map<'ltr' | 'rtl', EmotionCache>()

/** One style cache per direction; the right-to-left one mirrors MUI's styles. */
function cacheFor(dir: 'ltr' | 'rtl'): EmotionCache {
  const known = caches.get(dir)
  if (known) return known
  const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce
  const made = createCache({
    key: dir === 'rtl' ? 'muirtl' : 'mui',
    prepend: true,
    ...(nonce ? { nonce } : {}),
    // No prefixer: our browsers need no prefixes, and this version of stylis breaks on the syntax tree of the
    // older one inside emotion.
    stylisPlugins: dir === 'rtl' ? [rtlPlugin] : [],
  })
  caches.set(dir, made)
  return made
}

/** Provides MUI with our theme and the reading direction. */
export function MuiRoot({ children }: MuiRootProps) {
  const { dir } = useLanguage()
  const reduceMotion = usePreferences((preferences) => preferences.reduceMotion)
  return (
    <CacheProvider value={cacheFor(dir)}>
      <ThemeProvider theme={muiTheme(dir, reduceMotion)} storageManager={null}>
        {children}
      </ThemeProvider>
    </CacheProvider>
  )
}
