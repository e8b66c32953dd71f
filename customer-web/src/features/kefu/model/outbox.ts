import { newKey, type Wire } from '@/api/client'
import type { CallError } from '@/i18n/error-text'
import type { Json } from '@/storage/entries'
import { storage } from '@/storage/storage'
import type { Message } from '../api/kefu'

/** A message to send: text, an uploaded picture, or a card. */
export type Draft = Omit<Wire['InsertMessage'], 'messageId'>

/** A message that is not known to be sent. */
export type Unsent = Draft & {
  /** The UUID that makes retries the same message. */
  id: string
  /** The uploaded file is a PDF. */
  pdf?: boolean
  /** When it was written, ms. */
  at: number
  /** The server's refusal; the message then waits for the user's decision. */
  refused?: Refusal
}

/** A refusal that can be stored and shown later in another language. */
export type Refusal = CallError & {
  /** The key of the problem with its one field. */
  field?: string
}

/** A new message id: a random UUID, also outside secure contexts. */
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

/** A user's unsent messages, oldest first. */
export function readOutbox(person: string): Unsent[] {
  const list = storage.read('kefuOutbox')?.[person]
  return Array.isArray(list) ? (list.filter(isUnsent) as unknown as Unsent[]) : []
}

/**
 * Changes a user's unsent messages. The change is applied to the stored list, because another tab may have changed
 * it.
 */
export function changeOutbox(person: string, change: (list: Unsent[]) => Unsent[]): Unsent[] {
  const list = change(readOutbox(person))
  const others = { ...storage.read('kefuOutbox') }
  delete others[person]
  const kept = list.length > 0 ? { ...others, [person]: list as unknown as Json } : others
  if (Object.keys(kept).length > 0) storage.write('kefuOutbox', kept)
  else storage.remove('kefuOutbox')
  return list
}

/** The messages to show as unsent: without those that came back as sent. */
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
