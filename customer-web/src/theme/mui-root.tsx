import createCache, { type EmotionCache } from '@emotion/cache'
import { CacheProvider } from '@emotion/react'
import { ThemeProvider } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { useLanguage } from '@/i18n/use-language'
import { muiTheme } from './mui-theme'
import { usePreferences } from './preferences'

export type MuiRootProps = { children: ReactNode }

type Direction = 'ltr' | 'rtl'

const caches = new Map<Direction, EmotionCache>()
const plugins: NonNullable<Parameters<typeof createCache>[0]['stylisPlugins']> = []

/** Loads what MUI needs for a reading direction, before the first screen in it is rendered. */
export async function loadDirection(dir: Direction): Promise<void> {
  if (dir === 'rtl' && plugins.length === 0) {
    plugins.push((await import('@mui/stylis-plugin-rtl')).default)
  }
}

/** One style cache per direction; the right-to-left one mirrors MUI's styles. */
function cacheFor(dir: Direction): EmotionCache {
  const known = caches.get(dir)
  if (known) return known
  const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce
  const made = createCache({
    key: dir === 'rtl' ? 'muirtl' : 'mui',
    prepend: true,
    ...(nonce ? { nonce } : {}),
    // No prefixer: our browsers need no prefixes, and this version of stylis breaks on the syntax tree of the
    // older one inside emotion.
    stylisPlugins: dir === 'rtl' ? plugins : [],
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
