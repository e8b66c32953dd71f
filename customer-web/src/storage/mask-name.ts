import { GUEST_ACCOUNT_TYPE } from '@/constants'
import type { StoredUser } from './entries'

/** Masks the middle of an account name: ma•••@mail.com, 138••••21, al•••. */
export function maskName(name: string): string {
  // The server's own masking already hides enough.
  if (name.includes('***')) return withDots(name)
  const at = name.indexOf('@')
  if (at > 0) return `${mask(name.slice(0, at), 2, 0)}${name.slice(at)}`
  if (/^\+?[\d\s-]{6,}$/.test(name)) return mask(name, 3, 2)
  return name === '' ? '' : mask(name, 2, 0)
}

/** A text that the server has masked, with this app's dots. */
export function withDots(masked: string): string {
  return masked.replaceAll('***', '•••')
}

/** Reduces a user to what the browser may store. A guest's name needs no masking. */
export function toStoredUser(user: {
  userId: string
  userName?: string | undefined
  mail?: string | undefined
  type: number
  authStatus: number
  accountId?: number | undefined
}): StoredUser {
  const name = user.userName || user.mail || ''
  return {
    userId: user.userId,
    userName: user.type === GUEST_ACCOUNT_TYPE ? name : maskName(name),
    type: user.type,
    authStatus: user.authStatus,
    accountId: user.accountId,
  }
}

function mask(text: string, start: number, end: number): string {
  const letters = Array.from(text)
  const shownStart = letters.slice(0, Math.min(start, Math.max(1, letters.length - 2)))
  const shownEnd = end === 0 ? [] : letters.slice(-end)
  return `${shownStart.join('')}•••${shownEnd.join('')}`
}
