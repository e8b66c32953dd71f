import { lazy, type ReactNode, Suspense, useState } from 'react'

export type SheetProps = {
  open: boolean
  title: ReactNode
  onClose: () => void
  /** Only its content can close it: no close button, and neither Escape nor a press outside works. */
  locked?: boolean
  children: ReactNode
  /** Stays visible below the scrolling content: the main button. */
  footer?: ReactNode
  /** Maximum width of the desktop's dialog in pixels. */
  width?: number
}

const load = () => import('./sheet-surface')
const SheetSurface = lazy(load)

/** Preloads the sheet before its first use. */
export function preloadSheet(): void {
  // A failure shows when the sheet is opened.
  load().catch(() => {})
}

/** A bottom sheet on a phone, covering at most 80 % of it; a dialog on a desktop. */
export function Sheet(props: SheetProps) {
  const [used, setUsed] = useState(props.open)
  if (props.open && !used) setUsed(true)
  if (!used) return null
  return (
    <Suspense>
      <SheetSurface {...props} />
    </Suspense>
  )
}
