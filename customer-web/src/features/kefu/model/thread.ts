import type { ChatEvent } from '@/live/live'
import type { Message, Thread } from '../api/kefu'

/** The known state of a conversation. */
export type Conversation = Pick<
  Thread,
  'convId' | 'state' | 'agentName' | 'position' | 'estimateSeconds' | 'rateable' | 'earlier'
> & {
  /** Sorted by id, without duplicates. */
  messages: readonly Message[]
  /** The agents' read receipts. */
  agentGot: number
  agentRead: number
  /** The user's own read receipt. */
  readUpTo: number
}

export const emptyConversation: Conversation = {
  messages: [],
  agentGot: 0,
  agentRead: 0,
  readUpTo: 0,
}

/** Merges two message lists by id; the second list wins. */
export function mergeMessages(
  known: readonly Message[],
  more: readonly Message[],
): readonly Message[] {
  if (more.length === 0) return known
  const byId = new Map([...known, ...more].map((message) => [message.id, message]))
  return [...byId.values()].sort((a, b) => a.id - b.id)
}

/** Merges a server answer into a conversation. Read receipts only increase. */
export function withAnswer(known: Conversation, answer: Thread): Conversation {
  const { list, more: _, unread: __, typing: ___, ...facts } = answer
  return {
    ...facts,
    messages: mergeMessages(known.messages, list),
    agentGot: Math.max(known.agentGot, answer.agentGot ?? 0),
    agentRead: Math.max(known.agentRead, answer.agentRead ?? 0),
    readUpTo: Math.max(known.readUpTo, answer.readUpTo ?? 0),
  }
}

/** Adds a sent message to a conversation. */
export function withMessage(known: Conversation, message: Message): Conversation {
  return { ...known, convId: message.convId, messages: mergeMessages(known.messages, [message]) }
}

/** Merges a pushed event into a conversation. Agent and queue position are not pushed and have to be fetched. */
export function withEvent(known: Conversation, news: ChatEvent): Conversation {
  return {
    ...known,
    state: news.state,
    rateable: news.rateable,
    messages: mergeMessages(known.messages, news.message ? [news.message] : []),
    agentGot: Math.max(known.agentGot, news.agentGot),
    agentRead: Math.max(known.agentRead, news.agentRead),
    readUpTo: Math.max(known.readUpTo, news.readUpTo),
  }
}

/** The delivery status of the user's own message. */
export type DeliveryStatus = 'sent' | 'delivered' | 'read'

export function deliveryStatusOf(
  { id }: Pick<Message, 'id'>,
  { agentGot, agentRead }: Pick<Conversation, 'agentGot' | 'agentRead'>,
): DeliveryStatus {
  if (id <= agentRead) return 'read'
  return id <= agentGot ? 'delivered' : 'sent'
}

/** The id of the newest message; 0 if there is none. */
export function lastId({ messages }: Pick<Conversation, 'messages'>): number {
  return messages.at(-1)?.id ?? 0
}
