import i18next from 'i18next'
import { formatAmount, formatFixed } from '@/format/amount'
import { formatDate, type TimeStyle } from '@/format/time'
import { authState } from '@/session/auth-status'
import type { Message } from '../api/messages'

/** A message in the user's language. */
export type MessageText = { title: string; body: string }

const TEXT = /\{\{([\w.-]+)\}\}/g
const AMOUNT = /^(\+?)(-?\d+(?:\.(\d+))?) ([A-Z][A-Z0-9]{1,9})$/
const NUMBER = /^\d+(?:\.(\d+))?$/
const DAY = /^\d{4}-\d\d-\d\d$/

/** The text of a message, or null if this app version does not know its key. */
export function messageText({ key, args }: Message, style: TimeStyle): MessageText | null {
  const shown = Object.fromEntries(
    Object.entries(args).map(([name, value]) => [name, argument(name, value, style)]),
  )
  const title = textOf(`${key}.subject`, shown)
  const body = textOf(`${key}.body`, shown)
  // Empty arguments leave double spaces behind.
  return title && body ? { title, body: body.replace(/ {2,}/g, ' ').trim() } : null
}

/** Formats an argument: an amount with its currency, a price, a day, or text that contains text keys. */
function argument(name: string, value: string, style: TimeStyle): string {
  const [, plus, amount, decimals = '', currency] = AMOUNT.exec(value) ?? []
  if (amount) {
    // A result has its sign and its cents, any other amount neither zeros nor a plus.
    const text =
      name === 'result'
        ? formatFixed(amount, Math.max(2, decimals.length))
        : formatAmount(amount, Math.max(6, decimals.length))
    return `${plus}${text} ${currency}`
  }
  const price = name === 'price' && NUMBER.exec(value)
  if (price) return formatFixed(value, price[1]?.length ?? 0)
  // A day is the same in every time zone.
  if (DAY.test(value)) return formatDate(Date.parse(value), { ...style, timeZone: 'utc' })
  return value.replace(TEXT, (_, key: string) => textOf(key, {}) ?? '')
}

function textOf(key: string, args: Record<string, string | number>): string | null {
  // The key comes from the server, so the types can't know it; exists() checks it.
  return i18next.exists(key) ? i18next.t(key as 'error.general', args) : null
}

const ID = /^(?:DP|WD)-(\d{1,15})$/

/** Where a message leads: to a screen, to the receipt of a fill, or to the account that it is about. */
export type MessageLink = { path: string } | { fillId: number } | 'switch_account'

/** The parts of the session that a link depends on. */
export type LinkSession = { authStatus: number; mock: boolean; accountId?: number | undefined }

/** The link to a message's subject; undefined if it has none. */
export function linkOf({ key, args }: Message, session: LinkSession): MessageLink | undefined {
  if (args.book) return tradingLink(key, args, session)
  const id = ID.exec(args.number ?? '')?.[1]
  const of = id ? `id=${id}` : 'tab=history'
  if (key.startsWith('message.deposit_')) return { path: `/deposite?${of}` }
  if (key.startsWith('message.withdrawal_')) return { path: `/withdraw?${of}` }
  if (key.startsWith('message.identity_')) return { path: authState(session.authStatus).path }
  return key.startsWith('message.restrict') ? { path: '/myCenter' } : undefined
}

/** The link of a message about trading. The lists and receipts show only the account in use. */
function tradingLink(key: string, args: Message['args'], session: LinkSession): MessageLink {
  if ((args.book === 'mock') !== session.mock) return 'switch_account'
  const { account_id: of } = args
  if (of && session.accountId && of !== String(session.accountId)) return 'switch_account'
  switch (key) {
    case 'message.margin_call':
      return { path: '/order' }
    case 'message.stop_out':
      return { path: '/historyOrders?closed=stop_out' }
    case 'message.order_cancelled':
    case 'message.order_expired':
      return { path: '/historyOrders?list=orders' }
    default: {
      const fillId = /^[1-9]\d{0,15}$/.exec(args.fill ?? '')
      return fillId ? { fillId: Number(fillId[0]) } : { path: '/mywallet' }
    }
  }
}
