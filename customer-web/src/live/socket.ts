import { sign } from '@/api/request-headers'
import {
  CLIENT_VERSION,
  PREHEAT_PUSH_INTERVAL_MS,
  SOCKET_HEARTBEAT_MS,
  SOCKET_RECONNECT_MS,
  SOCKET_TYPE,
  USER_INFO_PUSH_INTERVAL_MS,
} from '@/constants'

export type SocketState = 'connecting' | 'open' | 'closed'

/** A frame from the server. */
export type Frame = { type: number; seq?: number; data?: unknown }

export type Login = { token: string; userId: number }

export type SocketEvents = {
  onState: (state: SocketState) => void
  onFrame: (frame: Frame) => void
  /** Private events may have been missed, so private data must be refetched. */
  onResync: () => void
}

/** The close code of a server at capacity, and of a tab replaced by a newer one. */
const TRY_AGAIN_LATER = 1013
/** The code of a socket that ended without a closing handshake. */
const ABNORMAL = 1006
const LONGEST_RECONNECT_MS = 30_000
/** A socket that was open this long was not refused. */
const LASTED_MS = 60_000

/** The delay before the next attempt after several refusals, randomised so that clients don't reconnect together. */
export function reconnectDelay(refusals: number): number {
  const wait = SOCKET_RECONNECT_MS * 2 ** Math.max(0, refusals - 1)
  return Math.min(wait, LONGEST_RECONNECT_MS) * (1 + Math.random() / 2)
}

/** The websocket address with a fresh signature. */
export function socketUrl(location: Location = window.location): string {
  const { localtimes, newsign } = sign()
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
  return `${scheme}://${location.host}/ws?newsign=${newsign}&localtimes=${localtimes}`
}

/**
 * The app's only websocket. It reconnects after 3 s, later while it is refused, sends a heartbeat every 20 s, and
 * after each connect sends the log-in or visitor id and the watched products.
 */
export class LiveSocket {
  private socket: WebSocket | null = null
  private timers: ReturnType<typeof setInterval>[] = []
  private reconnect: ReturnType<typeof setTimeout> | undefined
  private wanted = false
  private login: Login | null = null
  private visitor = ''
  private products: readonly number[] = []
  private focus = 0
  private lastSeq = 0
  private openedAt = 0
  private refusals = 0
  /** The server was at capacity; a hidden page waits until it is visible again. */
  private crowded = false
  private readonly events: SocketEvents
  private readonly open: (url: string) => WebSocket

  constructor(events: SocketEvents, open = (url: string) => new WebSocket(url)) {
    this.events = events
    this.open = open
  }

  start(): void {
    this.wanted = true
    window.addEventListener('online', this.hurry)
    window.addEventListener('offline', this.lose)
    document.addEventListener('visibilitychange', this.hurry)
    if (!this.socket) this.connect()
  }

  stop(): void {
    this.wanted = false
    window.removeEventListener('online', this.hurry)
    window.removeEventListener('offline', this.lose)
    document.removeEventListener('visibilitychange', this.hurry)
    clearTimeout(this.reconnect)
    this.socket?.close(1000)
  }

  /** Logs the socket in, or reconnects to make it anonymous again. */
  setLogin(login: Login | null): void {
    const wasIn = this.login !== null
    const changed = this.login?.token !== login?.token
    this.login = login
    if (!changed) return
    if (wasIn) this.socket?.close(1000)
    else this.sayWho()
  }

  subscribe(products: readonly number[], focus: number): void {
    this.products = products
    this.focus = focus
    this.sendProducts()
  }

  /** Sets the visitor whose events are sent while there is no session. */
  setVisitor(uuid: string): void {
    this.visitor = uuid
    if (!this.login) this.sayWho()
  }

  private connect(): void {
    this.events.onState('connecting')
    const socket = this.open(socketUrl())
    this.socket = socket
    socket.onopen = () => this.onOpen()
    socket.onmessage = (event) => this.onMessage(event.data)
    socket.onclose = (event) => this.onClose(event.code)
  }

  private onOpen(): void {
    this.lastSeq = 0
    this.openedAt = Date.now()
    this.events.onState('open')
    this.sayWho()
    this.sendProducts()
    this.pushPreheat()
    this.events.onResync()
    this.timers = [
      setInterval(() => this.send(SOCKET_TYPE.heartbeat), SOCKET_HEARTBEAT_MS),
      setInterval(() => this.pushPreheat(), PREHEAT_PUSH_INTERVAL_MS),
      setInterval(() => this.sayWho(), USER_INFO_PUSH_INTERVAL_MS),
    ]
  }

  private onMessage(text: unknown): void {
    if (typeof text !== 'string') return
    const frame = JSON.parse(text) as Frame
    if (frame.seq !== undefined) {
      if (frame.seq !== this.lastSeq + 1) this.events.onResync()
      this.lastSeq = frame.seq
    }
    this.events.onFrame(frame)
  }

  private onClose(code: number): void {
    for (const timer of this.timers) clearInterval(timer)
    this.timers = []
    this.socket = null
    this.crowded = code === TRY_AGAIN_LATER
    const lasted = this.openedAt > 0 && Date.now() - this.openedAt >= LASTED_MS
    const refused = this.openedAt === 0 || this.crowded
    this.refusals = refused ? (lasted ? 1 : this.refusals + 1) : 0
    this.openedAt = 0
    this.events.onState('closed')
    clearTimeout(this.reconnect)
    if (this.wanted) this.reconnect = setTimeout(this.comeBack, reconnectDelay(this.refusals))
  }

  /** Without a network the socket would stay open for minutes; its closing handshake can't be answered. */
  private readonly lose = (): void => {
    const { socket } = this
    if (!socket) return
    Object.assign(socket, { onopen: null, onmessage: null, onclose: null })
    socket.close()
    this.onClose(ABNORMAL)
  }

  private readonly comeBack = (): void => {
    if (this.socket || (this.crowded && document.hidden)) return
    this.connect()
  }

  /** Skips the delay when the page becomes visible or the network is back. */
  private readonly hurry = (): void => {
    if (document.hidden || this.socket) return
    clearTimeout(this.reconnect)
    this.reconnect = setTimeout(this.comeBack, Math.random() * 1_000)
  }

  private sayWho(): void {
    if (!this.login) {
      if (this.visitor) this.send(SOCKET_TYPE.user, { uuid: this.visitor })
      return
    }
    this.send(SOCKET_TYPE.userInfo, {
      token: this.login.token,
      clientVersion: CLIENT_VERSION,
      userId: this.login.userId,
      clientUserAgent: navigator.userAgent,
    })
    this.send(SOCKET_TYPE.user, { userId: this.login.userId })
  }

  private sendProducts(): void {
    this.send(SOCKET_TYPE.prices, { productIds: this.products, focus: this.focus })
  }

  private pushPreheat(): void {
    this.send(SOCKET_TYPE.preheatProducts, { productIds: this.products })
    this.send(SOCKET_TYPE.preheat)
  }

  private send(type: number, data: unknown = {}): void {
    if (this.socket?.readyState === WebSocket.OPEN) {
      this.socket.send(JSON.stringify({ type, data }))
    }
  }
}
