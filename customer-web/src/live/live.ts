import { create } from 'zustand'
import { api, call, type Wire } from '@/api/client'
import { reportSessionEnded } from '@/api/session-ended'
import { SOCKET_TYPE } from '@/constants'
import { useSession } from '@/session/session-store'
import { storage } from '@/storage/storage'
import { clearAccount, useAccount } from './account-store'
import { type DayFigures, quoteStore } from './quote-store'
import { type Frame, LiveSocket, type SocketState } from './socket'

/**
 * An event of the account: a fill, a pending order placed, amended or ended, a margin call, or a change of the
 * balance.
 */
export type AccountEvent = {
  event: 'fill' | 'order' | 'margin_call' | 'balance'
  order?: Wire['Order']
  fill?: Wire['Fill']
  position?: Wire['Position']
  statistics?: Wire['Statistics']
}

/** An event of the user's conversation; absent fields are unchanged. */
export type ChatEvent = {
  event: 'chat'
  message?: Wire['ChatMessage']
  state: Wire['ChatState']
  agentGot: number
  agentRead: number
  /** The user's own read receipt, from any device. */
  readUpTo: number
  rateable: boolean
  /** Whether the agent is typing. */
  typing?: boolean
}

type LiveState = {
  socket: SocketState /** When the last message arrived, ms; 0 before the first. */
  lastMessageAt: number
}

/** The connection state; the "live" dot follows it. */
export const useLive = create<LiveState>(() => ({ socket: 'closed', lastMessageAt: 0 }))

type Listener<T> = (value: T) => void
const accountListeners = new Set<Listener<AccountEvent>>()
const switchListeners = new Set<() => void>()
const chatListeners = new Set<Listener<ChatEvent | null>>()
const contentListeners = new Set<() => void>()
const tickerListeners = new Set<Listener<readonly DayFigures[]>>()
let focus = 0

/** Subscribes to events of the account; returns the unsubscribe function. */
export function onAccountEvent(listener: Listener<AccountEvent>): () => void {
  accountListeners.add(listener)
  return () => accountListeners.delete(listener)
}

/**
 * Calls back when a switch changes, and after each connect, because missed events are not repeated. Returns the
 * unsubscribe function.
 */
export function onSwitches(listener: () => void): () => void {
  switchListeners.add(listener)
  return () => switchListeners.delete(listener)
}

/** Subscribes to chat events, with null if some may have been missed; returns the unsubscribe function. */
export function onChat(listener: Listener<ChatEvent | null>): () => void {
  chatListeners.add(listener)
  return () => chatListeners.delete(listener)
}

/** Calls back when published content changes, and on a new message to this trader; returns the unsubscribe function. */
export function onContent(listener: () => void): () => void {
  contentListeners.add(listener)
  return () => contentListeners.delete(listener)
}

/** Subscribes to the 24-hour figures, sent every 5 s; returns the unsubscribe function. */
export function onTickers(listener: Listener<readonly DayFigures[]>): () => void {
  tickerListeners.add(listener)
  return () => tickerListeners.delete(listener)
}

const socket = new LiveSocket({
  onState: (state) => useLive.setState({ socket: state }),
  onFrame: handleFrame,
  onResync: () => {
    void fetchAccount()
    notifySwitches()
    notifyChat(null)
  },
})

/** Subscribes to a visitor's chat events while there is no session. */
export function setChatVisitor(uuid: string): void {
  socket.setVisitor(uuid)
}

/** Sets the focused product, whose prices are sent faster. */
export function setFocus(productId: number): void {
  focus = productId
  socket.subscribe(quoteStore.watched(), focus)
}

/** Opens the connection and keeps it in sync with the session and the products on screen. */
export function startLive(): void {
  quoteStore.onWatchedChange(() => socket.subscribe(quoteStore.watched(), focus))
  syncSession()
  useSession.subscribe(syncSession)
  socket.start()
}

let followed: string | null = null

function syncSession(): void {
  const { token, user } = useSession.getState()
  if (token === followed) return
  followed = token
  clearAccount()
  socket.setLogin(token && user ? { token, userId: Number(user.userId) } : null)
  void fetchAccount()
}

/** Fetches the account: after a connect, and when an event was missed. */
export async function fetchAccount(): Promise<void> {
  if (!useSession.getState().token) return
  try {
    const [statistics, positions] = await Promise.all([
      call(api.GET('/client/trade/findStatistics')),
      call(api.GET('/client/trade/findPositionList')),
    ])
    applyAccount({ statistics, positions })
  } catch {
    // The next push or connect brings it; an ended session was already reported.
  }
}

/** Applies the account state in an order's answer, before the push arrives. */
export function applyAccount(state: {
  statistics: Wire['Statistics']
  positions?: Wire['Position'][]
}): void {
  useAccount.setState(state)
  storage.write('balance', {
    balance: state.statistics.balance,
    zengjin: state.statistics.zengjin,
  })
}

function handleFrame(frame: Frame): void {
  useLive.setState({ lastMessageAt: Date.now() })
  switch (frame.type) {
    case SOCKET_TYPE.prices:
      handleLines(frame.data as Line[])
      return
    case SOCKET_TYPE.balanceEvents:
      applyAccount(frame.data as { statistics: Wire['Statistics']; positions: Wire['Position'][] })
      return
    case SOCKET_TYPE.tradeEvents:
      for (const listener of accountListeners) listener(frame.data as AccountEvent)
      return
    case SOCKET_TYPE.currencyTicker:
    case SOCKET_TYPE.foreignTicker:
      handleTickers(frame.data as DayFigures[])
      return
    case SOCKET_TYPE.user:
    case SOCKET_TYPE.system:
      handleEvent(frame.data as { event: string } | ChatEvent)
      return
    default:
  }
}

function handleEvent(message: { event: string } | ChatEvent): void {
  const { event } = message
  if (event === 'chat') notifyChat(message as ChatEvent)
  if (event === 'token_invalid') reportSessionEnded()
  if (event === 'switches') notifySwitches()
  if (event === 'notices' || event === 'message')
    for (const listener of contentListeners) listener()
}

function notifySwitches(): void {
  for (const listener of switchListeners) listener()
}

function notifyChat(event: ChatEvent | null): void {
  for (const listener of chatListeners) listener(event)
}

function handleTickers(tickers: readonly DayFigures[]): void {
  for (const figures of tickers) quoteStore.putDay(figures)
  for (const listener of tickerListeners) listener(tickers)
}

type Line = {
  productId: number
  bid: string
  ask: string
  spread: string
  sequence: number
  time: number
  halted: boolean
}

function handleLines(lines: Line[]): void {
  const seenAt = Date.now()
  for (const line of lines) quoteStore.put({ ...line, seenAt })
}
