import { newKey, type Wire } from '@/api/client'
import type { CallError } from '@/i18n/error-text'
import type { Json } from '@/storage/entries'
import { storage } from '@/storage/storage'
import type { Message } from '../api/kefu'

/** What a message says: words, a picture that was uploaded, or a card. */
export type Draft = Omit<Wire['InsertMessage'], 'messageId'>

/** What was written and is not known to be sent. */
export type Unsent = Draft & {
  /** The UUID that makes it one message however often it is sent. */
  id: string
  /** When it was written, ms. */
  at: number
  /** Why the server would not have it; it then waits for a decision. */
  refused?: Refusal
}

/** A refusal that can be kept and still be said in another language later. */
export type Refusal = CallError & {
  /** What is wrong with its one field, as a key. */
  field?: string
}

/** A fresh id of a message: a random UUID. Also where the browser has no secure context. */
export function newMessageId(): string {
  const hex = newKey()
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
    hex.slice(20),
  ].join('-')
}

/** What somebody has written and not sent yet, oldest first. */
export function readOutbox(person: string): Unsent[] {
  const list = storage.read('kefuOutbox')?.[person]
  return Array.isArray(list) ? (list.filter(isUnsent) as unknown as Unsent[]) : []
}

/** Changes what somebody has not sent yet; other tabs may have changed it meanwhile, so the change is applied to what is kept. */
export function changeOutbox(person: string, change: (list: Unsent[]) => Unsent[]): Unsent[] {
  const list = change(readOutbox(person))
  const others = { ...storage.read('kefuOutbox') }
  delete others[person]
  const kept = list.length > 0 ? { ...others, [person]: list as unknown as Json } : others
  if (Object.keys(kept).length > 0) storage.write('kefuOutbox', kept)
  else storage.remove('kefuOutbox')
  return list
}

/** What is still to be shown as unsent: what has come back as a message is shown as that. */
export function withoutSent(
  list: readonly Unsent[],
  messages: readonly Pick<Message, 'clientId'>[],
): readonly Unsent[] {
  const sent = new Set(messages.map(({ clientId }) => clientId))
  return list.filter(({ id }) => !sent.has(id))
}

function isUnsent(value: Json): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    typeof value.id === 'string' &&
    typeof value.at === 'number'
  )
}
