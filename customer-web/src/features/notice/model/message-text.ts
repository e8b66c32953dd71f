import i18next from 'i18next'
import { formatAmount } from '@/format/amount'
import { formatDate, type TimeStyle } from '@/format/time'
import { authState } from '@/session/auth-status'
import type { Message } from '../api/messages'

/** A message in the user's language. */
export type MessageText = { title: string; body: string }

const TEXT = /\{\{([\w.-]+)\}\}/g
const AMOUNT = /^(-?\d+(?:\.(\d+))?) ([A-Z][A-Z0-9]{1,9})$/
const DAY = /^\d{4}-\d\d-\d\d$/

/** The text of a message, or null if this app version does not know its key. */
export function messageText({ key, args }: Message, style: TimeStyle): MessageText | null {
  const shown = Object.fromEntries(
    Object.entries(args).map(([name, value]) => [name, argument(value, style)]),
  )
  const title = textOf(`${key}.subject`, shown)
  const body = textOf(`${key}.body`, shown)
  // Empty arguments leave double spaces behind.
  return title && body ? { title, body: body.replace(/ {2,}/g, ' ').trim() } : null
}

/** Formats an argument: an amount with its currency, a day, or text that contains text keys. */
function argument(value: string, style: TimeStyle): string {
  const [, amount, decimals = '', currency] = AMOUNT.exec(value) ?? []
  if (amount) return `${formatAmount(amount, Math.max(6, decimals.length))} ${currency}`
  // A day is the same in every time zone.
  if (DAY.test(value)) return formatDate(Date.parse(value), { ...style, timeZone: 'utc' })
  return value.replace(TEXT, (_, key: string) => textOf(key, {}) ?? '')
}

function textOf(key: string, args: Record<string, string | number>): string | null {
  // The key comes from the server, so the types can't know it; exists() checks it.
  return i18next.exists(key) ? i18next.t(key as 'error.general', args) : null
}

const ID = /^(?:DP|WD)-(\d{1,15})$/

/** The screen of a message's subject: the deposit or withdrawal, the identity status, or the restrictions. */
export function pathOf({ key, args }: Message, authStatus: number): string | undefined {
  const id = ID.exec(args.number ?? '')?.[1]
  const of = id ? `id=${id}` : 'tab=history'
  if (key.startsWith('message.deposit_')) return `/deposite?${of}`
  if (key.startsWith('message.withdrawal_')) return `/withdraw?${of}`
  if (key.startsWith('message.identity_')) return authState(authStatus).path
  return key.startsWith('message.restrict') ? '/myCenter' : undefined
}
