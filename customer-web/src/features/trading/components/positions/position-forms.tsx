import { lazy, Suspense } from 'react'
import type { EditOrderSheetProps } from '../pending/edit-order-sheet'
import type { ClosePositionSheetProps } from './close-position-sheet'
import type { ProtectSheetProps } from './protect-sheet'

const loadClose = () => import('./close-position-sheet')

const LazyClose = lazy(async () => ({ default: (await loadClose()).ClosePositionSheet }))
const LazyProtect = lazy(async () => ({ default: (await import('./protect-sheet')).ProtectSheet }))
const LazyEdit = lazy(async () => ({
  default: (await import('../pending/edit-order-sheet')).EditOrderSheet,
}))

/** Loads the form that closes a position before it is needed. */
export function preloadClosing(): void {
  // A failure shows when the form is opened.
  loadClose().catch(() => {})
}

/** The sheet that closes a position, loaded on first use. */
export function ClosePositionSheet(props: ClosePositionSheetProps) {
  return (
    <Suspense>
      <LazyClose {...props} />
    </Suspense>
  )
}

/** The sheet of stop loss and take profit, loaded on first use. */
export function ProtectSheet(props: ProtectSheetProps) {
  return (
    <Suspense>
      <LazyProtect {...props} />
    </Suspense>
  )
}

/** The sheet that edits a pending order, loaded on first use. */
export function EditOrderSheet(props: EditOrderSheetProps) {
  return (
    <Suspense>
      <LazyEdit {...props} />
    </Suspense>
  )
}
