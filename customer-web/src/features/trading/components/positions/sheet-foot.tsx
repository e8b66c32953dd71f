import type { ReactNode } from 'react'
import { createPortal } from 'react-dom'

export type SheetFootProps = {
  /** The sheet's element below the scrolling content; null before it is rendered. */
  place: HTMLElement | null
  children: ReactNode
}

/** Renders a form's button into the footer of its sheet, which stays while the forms change. */
export function SheetFoot({ place, children }: SheetFootProps) {
  return place && createPortal(children, place)
}
