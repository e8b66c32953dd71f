import type { ReactNode } from 'react'
import { Sheet } from '@/ui/sheet/sheet'
import { useContactless } from '../api/security'
import { ContactFirstNote } from './contact-first-note'

export type ContactFirstSheetProps = {
  title: string
  onClose: () => void
  /** What takes a contact or a log-in password. */
  children: ReactNode
}

/** A sheet that needs a contact: whoever has a wallet alone is led to add one first. */
export function ContactFirstSheet({ title, onClose, children }: ContactFirstSheetProps) {
  if (!useContactless()) return children
  return (
    <Sheet open title={title} onClose={onClose}>
      <ContactFirstNote />
    </Sheet>
  )
}
