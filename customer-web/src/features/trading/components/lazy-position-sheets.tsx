import { lazy, Suspense } from 'react'
import { withTexts } from '@/i18n/i18n'
import type { CloseAllSheetProps } from './close-all-sheet'
import type { ClosePositionSheetProps } from './close-position-sheet'
import type { ProtectSheetProps } from './protect-sheet'

const load = () => withTexts(() => import('./position-sheets'), 'waiting')

const LazyClose = lazy(async () => ({ default: (await load()).ClosePositionSheet }))
const LazyCloseAll = lazy(async () => ({ default: (await load()).CloseAllSheet }))
const LazyProtect = lazy(async () => ({ default: (await load()).ProtectSheet }))

/** Preloads the sheets as soon as there is a position, so that they open at once. */
export function preloadPositionSheets(): void {
  // A failure shows when a sheet is opened.
  load().catch(() => {})
}

export function ClosePositionSheet(props: ClosePositionSheetProps) {
  return (
    <Suspense>
      <LazyClose {...props} />
    </Suspense>
  )
}

export function CloseAllSheet(props: CloseAllSheetProps) {
  return (
    <Suspense>
      <LazyCloseAll {...props} />
    </Suspense>
  )
}

export function ProtectSheet(props: ProtectSheetProps) {
  return (
    <Suspense>
      <LazyProtect {...props} />
    </Suspense>
  )
}
