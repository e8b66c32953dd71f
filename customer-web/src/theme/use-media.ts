import { useSyncExternalStore } from 'react'
import { DESKTOP_MIN_WIDTH } from '@/constants'
import { usePreferences } from './preferences'

/** Reports whether a media query matches; updates while the component is mounted. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (changed) => {
      const list = window.matchMedia?.(query)
      list?.addEventListener('change', changed)
      return () => list?.removeEventListener('change', changed)
    },
    () => window.matchMedia?.(query).matches ?? false,
  )
}

/** True from 1024 px on, where the app has its desktop layout. */
export function useDesktop(): boolean {
  return useMedia(`(min-width: ${DESKTOP_MIN_WIDTH}px)`)
}

/** True where the chart has the ticket beside it: on a desktop, and on a tablet or a large phone on its side. */
export function useTerminal(): boolean {
  return useMedia(
    `(min-width: ${DESKTOP_MIN_WIDTH}px), (min-width: 768px) and (orientation: landscape)`,
  )
}

/** True between the phone and the desktop, where a list has its detail beside it. */
export function useTablet(): boolean {
  const tables = useTables()
  return !useDesktop() && tables
}

/** True from 768 px on, where lists of positions and orders are tables. */
export function useTables(): boolean {
  return useMedia('(min-width: 768px)')
}

/** True if the trader or the device prefers less motion: draw at once, animate nothing. */
export function useReducedMotion(): boolean {
  const wished = usePreferences((preferences) => preferences.reduceMotion)
  return useMedia('(prefers-reduced-motion: reduce)') || wished
}
