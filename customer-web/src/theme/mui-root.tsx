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

/** One style cache a direction; the right-to-left one mirrors what MUI writes. */
function cacheFor(dir: 'ltr' | 'rtl'): EmotionCache {
  const known = caches.get(dir)
  if (known) return known
  const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce
  const made = createCache({
    key: dir === 'rtl' ? 'muirtl' : 'mui',
    prepend: true,
    ...(nonce ? { nonce } : {}),
    // Without stylis's prefixer: our browsers need no prefixes, and the prefixer of this stylis breaks
    // on the syntax tree that the older one inside emotion makes.
    stylisPlugins: dir === 'rtl' ? [rtlPlugin] : [],
  })
  caches.set(dir, made)
  return made
}

/**
 * Gives MUI our theme and the reading direction. MUI is heavy, so it comes with the screens that use
 * it and not with the first one: see `light` in the table of routes.
 */
export default function MuiRoot({ children }: MuiRootProps) {
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
