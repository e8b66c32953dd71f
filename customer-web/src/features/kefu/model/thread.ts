import type { ChatEvent } from '@/live/live'
import type { Message, Thread } from '../api/kefu'

/** A conversation as far as it is known here. */
export type Conversation = Pick<
  Thread,
  'convId' | 'state' | 'agentName' | 'position' | 'rateable' | 'earlier'
> & {
  /** By id, each once. */
  messages: readonly Message[]
  /** How far the agents have come. */
  agentGot: number
  agentRead: number
  /** How far oneself has read. */
  readUpTo: number
}

export const emptyConversation: Conversation = {
  messages: [],
  agentGot: 0,
  agentRead: 0,
  readUpTo: 0,
}

/** Two lists of messages as one: in the order of their ids, each once, as the later list has it. */
export function mergeMessages(
  known: readonly Message[],
  more: readonly Message[],
): readonly Message[] {
  if (more.length === 0) return known
  const byId = new Map([...known, ...more].map((message) => [message.id, message]))
  return [...byId.values()].sort((a, b) => a.id - b.id)
}

/** A conversation with what the server has answered. Marks only grow. */
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

/** A conversation with a message that it took. */
export function withMessage(known: Conversation, message: Message): Conversation {
  return { ...known, convId: message.convId, messages: mergeMessages(known.messages, [message]) }
}

/** A conversation with what was told of it. Who answers and the place in line are not told: an answer has to be fetched for them. */
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

/** How far one's own message has come. */
export type DeliveryStatus = 'sent' | 'delivered' | 'read'

export function deliveryStatusOf(
  { id }: Pick<Message, 'id'>,
  { agentGot, agentRead }: Pick<Conversation, 'agentGot' | 'agentRead'>,
): DeliveryStatus {
  if (id <= agentRead) return 'read'
  return id <= agentGot ? 'delivered' : 'sent'
}

/** The newest message that is there; 0 before the first. */
export function lastId({ messages }: Pick<Conversation, 'messages'>): number {
  return messages.at(-1)?.id ?? 0
}
