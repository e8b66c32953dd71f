import { toLatinDigits } from '@/format/numeric-input'

/** How a trader is addressed: one way to log in and to get codes. */
export type Contact = {
  kind: 'mail' | 'phone'
  mail: string
  /** ISO code of the country whose telephone code stands before the number; empty when not chosen. */
  country: string
  /** As typed: spaces, a leading zero, or a whole number with +. */
  phone: string
}

/** What a page of account access hands on to the next one with the history entry: the contact is in no address that somebody else may see. */
export type ContactState = { contact: Contact }

/** The contact that the page before handed on, if it did. */
export function contactIn(state: ContactState | null): Contact | undefined {
  return state?.contact
}

/** The account as the server wants it: a mail address, or +8613800138000. Empty while something is missing. */
export function accountOf(contact: Contact, areaCode: string | undefined): string {
  if (contact.kind === 'mail') return contact.mail.trim()
  const typed = toLatinDigits(contact.phone).trim()
  const digits = onlyDigits(typed)
  if (digits === '') return ''
  if (typed.startsWith('+')) return `+${digits}`
  return areaCode ? `+${areaCode}${digits}` : ''
}

export const CODE_LENGTH = 6

/** What a code field keeps of what was typed or pasted: six digits at most, of any script. */
export function codeDigits(text: string): string {
  return onlyDigits(toLatinDigits(text)).slice(0, CODE_LENGTH)
}

function onlyDigits(text: string): string {
  return text.replace(/\D/g, '')
}
