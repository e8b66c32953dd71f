import { lazy, type ReactNode, Suspense, useState } from 'react'

export type SheetProps = {
  open: boolean
  title: ReactNode
  onClose: () => void
  /** Only what stands in it closes it: there is no cross, and neither Escape nor a press beside it does anything. */
  locked?: boolean
  children: ReactNode
  /** Stays visible below the scrolling content: the one button that acts. */
  footer?: ReactNode
  /** Largest width of the desktop's dialog in pixels. */
  width?: number
}

const load = () => import('./sheet-surface')
const SheetSurface = lazy(load)

/** Fetches what a sheet needs before it is opened for the first time. */
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
