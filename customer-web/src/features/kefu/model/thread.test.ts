import { describe, expect, test } from 'vitest'
import type { ChatEvent } from '@/live/live'
import type { Message } from '../api/kefu'
import {
  deliveryStatusOf,
  emptyConversation,
  lastId,
  mergeMessages,
  withAnswer,
  withEvent,
  withMessage,
} from './thread'

const message = (id: number, more: Partial<Message> = {}): Message => ({
  id,
  convId: 1,
  clientId: `c${id}`,
  senderType: 'agent',
  type: 'text',
  body: `message ${id}`,
  createdAt: id,
  ...more,
})
const ids = (list: readonly Message[]) => list.map(({ id }) => id)

describe('messages', () => {
  test('stand in the order of their ids, each once', () => {
    const known = mergeMessages([], [message(3), message(1)])
    expect(ids(known)).toEqual([1, 3])
    expect(ids(mergeMessages(known, [message(2), message(3)]))).toEqual([1, 2, 3])
  })

  test('that bring nothing leave the list as it is', () => {
    const known = [message(1)]
    expect(mergeMessages(known, [])).toBe(known)
  })
})

describe('an answer', () => {
  test('says who answers, and leaves out what is no longer so', () => {
    const queued = withAnswer(emptyConversation, {
      list: [message(1)],
      more: false,
      unread: 0,
      convId: 1,
      state: 'queued',
      position: 2,
    })
    expect(queued).toMatchObject({ convId: 1, state: 'queued', position: 2 })
    const open = withAnswer(queued, {
      list: [message(2)],
      more: false,
      unread: 1,
      convId: 1,
      state: 'open',
      agentName: 'Anna',
    })
    expect(open.position).toBeUndefined()
    expect(open.agentName).toBe('Anna')
    expect(ids(open.messages)).toEqual([1, 2])
    expect(lastId(open)).toBe(2)
  })

  test('never takes a mark back', () => {
    const known = { ...emptyConversation, agentGot: 5, agentRead: 4, readUpTo: 3 }
    const later = withAnswer(known, {
      list: [],
      more: false,
      unread: 0,
      agentGot: 2,
      agentRead: 2,
      readUpTo: 2,
    })
    expect(later).toMatchObject({ agentGot: 5, agentRead: 4, readUpTo: 3 })
  })
})

test('news bring a message at once and keep who answers', () => {
  const known = { ...emptyConversation, agentName: 'Anna', messages: [message(1)] }
  const news: ChatEvent = {
    event: 'chat',
    message: message(4),
    state: 'waiting_customer',
    agentGot: 1,
    agentRead: 1,
    readUpTo: 1,
    rateable: false,
  }
  const after = withEvent(known, news)
  expect(ids(after.messages)).toEqual([1, 4])
  expect(after).toMatchObject({ agentName: 'Anna', state: 'waiting_customer', agentRead: 1 })
  expect(ids(withEvent(after, news).messages)).toEqual([1, 4])
})

test('a message that was taken begins the conversation', () => {
  expect(withMessage(emptyConversation, message(7, { convId: 9 }))).toMatchObject({ convId: 9 })
})

test('ticks follow how far the agents have come', () => {
  const marks = { agentGot: 5, agentRead: 3 }
  expect(deliveryStatusOf({ id: 3 }, marks)).toBe('read')
  expect(deliveryStatusOf({ id: 4 }, marks)).toBe('delivered')
  expect(deliveryStatusOf({ id: 5 }, marks)).toBe('delivered')
  expect(deliveryStatusOf({ id: 6 }, marks)).toBe('sent')
})
