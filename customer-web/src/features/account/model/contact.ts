import { toLatinDigits } from '@/format/numeric-input'

/** A trader's contact for log-in and codes. */
export type Contact = {
  kind: 'mail' | 'phone'
  mail: string
  /** ISO code of the country whose dialling code precedes the number; empty if not chosen. */
  country: string
  /** As typed: with spaces, a leading zero, or a full number with +. */
  phone: string
}

/** The contact passed to the next access page in the history state, which keeps it out of the address. */
export type ContactState = { contact: Contact }

/** The contact passed on by the previous page, if any. */
export function contactIn(state: ContactState | null): Contact | undefined {
  return state?.contact
}

/** The account in the server's format: an e-mail address, or +8613800138000. Empty while incomplete. */
export function accountOf(contact: Contact, areaCode: string | undefined): string {
  if (contact.kind === 'mail') return contact.mail.trim()
  const typed = toLatinDigits(contact.phone).trim()
  const digits = onlyDigits(typed)
  if (digits === '') return ''
  if (typed.startsWith('+')) return `+${digits}`
  return areaCode ? `+${areaCode}${digits}` : ''
}

function onlyDigits(text: string): string {
  return text.replace(/\D/g, '')
}
