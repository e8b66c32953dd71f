import { create } from 'zustand'
import { CallFailure } from '@/api/client'
import { isOutcomeUnknown } from '@/api/idempotent-mutation'
import { SOCKET_RECONNECT_MS, UNREAD_POLL_BUILT_IN_CHAT_MS } from '@/constants'
import { fileKind } from '@/features/picture/model/prepare-picture'
import { type ChatEvent, onChat, setChatVisitor, useLive } from '@/live/live'
import { useSession } from '@/session/session-store'
import { guestId } from '@/storage/guest-id'
import { storage } from '@/storage/storage'
import {
  findEarlier,
  findMessages,
  insertMessage,
  type Message,
  chatPersonId as personNow,
  updateRead,
  updateTyping,
  uploadPicture,
} from '../api/kefu'
import {
  changeOutbox,
  type Draft,
  newMessageId,
  type Refusal,
  readOutbox,
  type Unsent,
  withoutSent,
} from './outbox'
import {
  type Conversation,
  emptyConversation,
  lastId,
  mergeMessages,
  withAnswer,
  withEvent,
  withMessage,
} from './thread'

/** A picture being uploaded. It is lost on reload; only uploaded pictures are kept. */
export type Uploading = {
  id: string
  at: number
  file: File
  text: string
  /** The share uploaded, 0 to 1. */
  share: number
  /** The reason the upload failed. */
  failure?: unknown
}

export type Chat = {
  person: string
  /** Null until the first answer. */
  conversation: Conversation | null
  /** The reason the last fetch failed; null after a success. */
  failure: unknown
  /** The agent is typing. */
  typing: boolean
  unread: number
  unsent: readonly Unsent[]
  uploading: readonly Uploading[]
  /** Messages of closed conversations loaded so far. */
  earlier: readonly Message[]
  /** Whether there are older ones; null before the first request. */
  earlierMore: boolean | null
}

/** An agent's typing indicator expires after this time. */
const TYPING_MS = 6_000
/** The interval at which the user's own typing is reported. */
const TELL_TYPING_MS = 4_000
/** Polls between two refreshes of the queue position. */
const LINE_EVERY = 3

const empty = (person: string): Chat => ({
  person,
  conversation: null,
  failure: null,
  typing: false,
  unread: 0,
  unsent: person ? readOutbox(person) : [],
  uploading: [],
  earlier: [],
  earlierMore: null,
})

/** The conversation of the current user, and their unsent messages. */
export const useChat = create<Chat>(() => empty(''))

/** The newest message id that was fetched; messages pushed by the socket may have gaps before them. */
let fetchedUpTo = 0
/** The read receipts already sent to the server. */
let acknowledged = { got: 0, read: 0 }
let shown = false
let fetching = false
let fetchAgain = false
let sending = false
let typingEnds: ReturnType<typeof setTimeout> | undefined
let sendAgain: ReturnType<typeof setTimeout> | undefined
let typingToldAt = 0
const uploads = new Map<string, AbortController>()

/** Follows the conversation while its screen is shown; returns the stop function. */
export function openChat(): () => void {
  followPerson()
  shown = true
  setChatVisitor(guestId())
  const stops = [
    onChat((news) => (news ? handleEvent(news) : resume())),
    useSession.subscribe(followPerson),
    listen(window, 'online', resume),
    listen(document, 'visibilitychange', resume),
    storage.onChangeElsewhere('kefuOutbox', () => keep((list) => list)),
  ]
  let looks = 0
  const timer = setInterval(() => {
    looks += 1
    if (!isVisible()) return
    const inLine = useChat.getState().conversation?.position !== undefined
    if (useLive.getState().socket !== 'open' || (inLine && looks % LINE_EVERY === 0))
      void fetchNewMessages()
  }, UNREAD_POLL_BUILT_IN_CHAT_MS)
  resume()
  return () => {
    shown = false
    clearInterval(timer)
    for (const stop of stops) stop()
  }
}

/** Fetches the messages since the last fetch. */
export async function fetchNewMessages(): Promise<void> {
  fetchAgain = true
  if (fetching) return
  fetching = true
  try {
    while (fetchAgain) {
      fetchAgain = false
      await fetchNewer()
    }
  } finally {
    fetching = false
  }
  acknowledge()
}

/** Fetches more messages of closed conversations; rejects without a response. */
export async function fetchEarlier(): Promise<void> {
  const { person, earlier } = useChat.getState()
  const { list, more } = await findEarlier(earlier[0]?.id)
  if (useChat.getState().person !== person) return
  useChat.setState(({ earlier }) => ({ earlier: mergeMessages(earlier, list), earlierMore: more }))
}

/** Sends a message and keeps it in the outbox until the server has stored it. */
export function sendMessage(
  draft: Draft,
  kept: Pick<Unsent, 'id' | 'pdf'> = { id: newMessageId() },
): void {
  keep((list) => [...list, { ...draft, ...kept, at: Date.now() }])
  reportTyping('')
  void flushOutbox()
}

/** Retries a refused message with the same id. */
export function retry(id: string): void {
  keep((list) => list.map((one) => (one.id === id ? withoutRefusal(one) : one)))
  void flushOutbox()
}

/** Deletes an unsent message. */
export function discard(id: string): void {
  keep((list) => list.filter((one) => one.id !== id))
}

/** Uploads a picture and sends it as a message, with a text if there is one. */
export function sendPicture(file: File, text: string): void {
  const id = newMessageId()
  const one: Uploading = { id, at: Date.now(), file, text, share: 0 }
  reportTyping('')
  useChat.setState(({ uploading }) => ({ uploading: [...uploading, one] }))
  void upload(one)
}

/** Retries a failed upload. */
export function retryUpload(id: string): void {
  const one = useChat.getState().uploading.find((other) => other.id === id)
  if (!one) return
  changeUpload(id, { share: 0, failure: undefined })
  void upload(one)
}

/** Cancels an upload. */
export function cancelUpload(id: string): void {
  uploads.get(id)?.abort()
  dropUpload(id)
}

/** Reports the user's typing at intervals; an empty text reports the end. */
export function reportTyping(text: string): void {
  if (useChat.getState().conversation?.convId === undefined) return
  const typing = text.trim() !== ''
  const due = typing ? Date.now() - typingToldAt > TELL_TYPING_MS : typingToldAt > 0
  if (!due) return
  typingToldAt = typing ? Date.now() : 0
  // A lost typing report does no harm.
  updateTyping(typing).catch(() => {})
}

/** Marks the conversation as rated. */
export function markRated(): void {
  useChat.setState(({ conversation }) =>
    conversation ? { conversation: { ...conversation, rateable: false } } : {},
  )
}

/**
 * Sends the outbox in order, each message once by its id. Without a response it stays in the outbox; a refusal is
 * shown and the next message is sent.
 */
export async function flushOutbox(): Promise<void> {
  if (sending) return
  sending = true
  clearTimeout(sendAgain)
  try {
    for (;;) {
      followPerson()
      const { person, unsent } = useChat.getState()
      const next = unsent.find(({ refused }) => !refused)
      if (!next) return
      await sendOne(person, next)
    }
  } catch {
    // No response came; retried after a delay or when the connection is back.
    sendAgain = setTimeout(() => void flushOutbox(), SOCKET_RECONNECT_MS)
  } finally {
    sending = false
  }
}

/** Sends one message; rejects if the outcome is unknown. */
async function sendOne(
  person: string,
  { id, at: _, refused: __, pdf: ___, ...draft }: Unsent,
): Promise<void> {
  try {
    const message = await insertMessage({ messageId: id, ...draft })
    keepOf(person, (list) => list.filter((one) => one.id !== id))
    if (useChat.getState().person !== person) return
    follow(message.convId)
    useChat.setState(({ conversation }) => ({
      conversation: withMessage(conversation ?? emptyConversation, message),
    }))
    if (shown) void fetchNewMessages()
  } catch (error) {
    if (!(error instanceof CallFailure) || isOutcomeUnknown(error) || error.httpStatus === 401)
      throw error
    const refused = toRefusal(error)
    keepOf(person, (list) => list.map((one) => (one.id === id ? { ...one, refused } : one)))
  }
}

async function fetchNewer(): Promise<void> {
  const { person } = useChat.getState()
  for (let more = true; more; ) {
    const answer = await findMessages(fetchedUpTo).catch((failure: unknown) => {
      if (useChat.getState().person === person) useChat.setState({ failure })
    })
    if (!answer || useChat.getState().person !== person) return
    // An answer without a conversation means that the known one was closed if there are closed ones, else that it
    // has just started.
    if ((answer.convId !== undefined || answer.earlier) && follow(answer.convId)) continue
    fetchedUpTo = Math.max(fetchedUpTo, lastId({ messages: answer.list }))
    useChat.setState(({ conversation }) => ({
      conversation: withAnswer(conversation ?? emptyConversation, answer),
      unread: answer.unread,
      failure: null,
    }))
    setTyping(answer.typing ?? false)
    more = answer.more && answer.list.length > 0
  }
}

/** Resets the state if the current conversation has changed or ended. Reports whether it did. */
function follow(convId: number | undefined): boolean {
  const known = useChat.getState().conversation?.convId
  if (known === undefined || convId === known) return false
  fetchedUpTo = 0
  acknowledged = { got: 0, read: 0 }
  useChat.setState({
    conversation: { ...emptyConversation, ...(convId === undefined ? {} : { convId }) },
    earlier: [],
    earlierMore: null,
  })
  return true
}

function handleEvent(news: ChatEvent): void {
  const before = useChat.getState().conversation ?? emptyConversation
  useChat.setState({ conversation: withEvent(before, news) })
  if (news.typing !== undefined) setTyping(news.typing)
  if (news.message?.senderType === 'agent') setTyping(false)
  // A pushed event may be incomplete, so agent, queue position and missed messages are fetched.
  if (news.message || news.state !== before.state) void fetchNewMessages()
}

function setTyping(typing: boolean): void {
  clearTimeout(typingEnds)
  useChat.setState({ typing })
  if (typing) typingEnds = setTimeout(() => useChat.setState({ typing: false }), TYPING_MS)
}

/** Sends read receipts: read if the screen is visible, else delivered. */
function acknowledge(): void {
  const { conversation, person } = useChat.getState()
  if (!shown || !conversation) return
  const newest = lastId(conversation)
  const read = isVisible()
  const before = Math.max(conversation.readUpTo, read ? acknowledged.read : acknowledged.got)
  if (newest <= before) return
  const was = acknowledged
  acknowledged = { got: newest, read: read ? newest : acknowledged.read }
  updateRead(newest, read).then(
    (unread) => {
      if (useChat.getState().person === person) useChat.setState({ unread })
    },
    () => {
      acknowledged = was
    },
  )
}

/** Fetches and sends what was missed. */
function resume(): void {
  void fetchNewMessages()
  void flushOutbox()
}

/** Resets the state if the user has changed. */
function followPerson(): void {
  const person = personNow()
  if (person === useChat.getState().person) return
  for (const one of uploads.values()) one.abort()
  uploads.clear()
  fetchedUpTo = 0
  acknowledged = { got: 0, read: 0 }
  setTyping(false)
  useChat.setState(empty(person))
  if (shown) void fetchNewMessages()
}

function keep(change: (list: Unsent[]) => Unsent[]): void {
  followPerson()
  keepOf(useChat.getState().person, change)
}

function keepOf(person: string, change: (list: Unsent[]) => Unsent[]): void {
  const unsent = changeOutbox(person, change)
  if (useChat.getState().person === person) useChat.setState({ unsent })
}

async function upload({ id, file, text }: Uploading): Promise<void> {
  const control = new AbortController()
  uploads.set(id, control)
  try {
    const image = await uploadPicture(file, (share) => changeUpload(id, { share }), control.signal)
    if (control.signal.aborted) return
    dropUpload(id)
    sendMessage({ image, ...(text ? { text } : {}) }, { id, pdf: fileKind(file) === 'pdf' })
  } catch (failure) {
    changeUpload(id, { failure })
  }
}

function changeUpload(id: string, change: Partial<Uploading>): void {
  useChat.setState(({ uploading }) => ({
    uploading: uploading.map((one) => (one.id === id ? { ...one, ...change } : one)),
  }))
}

function dropUpload(id: string): void {
  uploads.delete(id)
  useChat.setState(({ uploading }) => ({ uploading: uploading.filter((one) => one.id !== id) }))
}

function toRefusal({ httpStatus, code, args, cnMsg, enMsg, fields }: CallFailure): Refusal {
  const [field] = Object.values(fields)
  return {
    httpStatus,
    ...(code ? { code } : {}),
    ...(args ? { args } : {}),
    ...(cnMsg ? { cnMsg } : {}),
    ...(enMsg ? { enMsg } : {}),
    ...(field ? { field } : {}),
  }
}

function withoutRefusal({ refused: _, ...rest }: Unsent): Unsent {
  return rest
}

function isVisible(): boolean {
  return document.visibilityState === 'visible'
}

function listen(target: EventTarget, name: string, act: () => void): () => void {
  target.addEventListener(name, act)
  return () => target.removeEventListener(name, act)
}

/** Reports whether the server has a message of the user in the current conversation. */
export function useHasWritten(): boolean {
  return useChat(
    ({ conversation }) =>
      conversation?.messages.some(({ senderType }) => senderType === 'customer') ?? false,
  )
}

/** The outbox without messages that are already shown as sent. */
export function useUnsentMessages(): readonly Unsent[] {
  const unsent = useChat((chat) => chat.unsent)
  const messages = useChat(({ conversation }) => conversation?.messages)
  return withoutSent(unsent, messages ?? [])
}
