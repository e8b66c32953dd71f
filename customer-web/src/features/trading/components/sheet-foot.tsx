import type { ReactNode } from 'react'
import { createPortal } from 'react-dom'

export type SheetFootProps = {
  /** The sheet's own place below what scrolls; null before it is drawn. */
  place: HTMLElement | null
  children: ReactNode
}

/** Puts a form's one button into the foot of the sheet around it, which stays while forms change in it. */
export function SheetFoot({ place, children }: SheetFootProps) {
  return place && createPortal(children, place)
}
