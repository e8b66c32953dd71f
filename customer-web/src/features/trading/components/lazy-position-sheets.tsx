import { lazy, Suspense } from 'react'
import type { ClosePositionSheetProps } from './close-position-sheet'
import type { ProtectSheetProps } from './protect-sheet'

const load = () => import('./position-sheets')

const LazyClose = lazy(async () => ({ default: (await load()).ClosePositionSheet }))
const LazyProtect = lazy(async () => ({ default: (await load()).ProtectSheet }))

/** Fetches the sheets as soon as there is a position to act on, so that a press opens them at once. */
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

export function ProtectSheet(props: ProtectSheetProps) {
  return (
    <Suspense>
      <LazyProtect {...props} />
    </Suspense>
  )
}
