// The event stream of the back office. One page of a browser holds it and passes on what it hears:
// a browser opens few connections to a server, and staff keep many pages open. What is told is a
// hint; the page then requests what follows.

/** What pages are told. */
export interface Listener {
  /** The stream is there, perhaps again: ask for whatever was missed. */
  hello?: () => void
  /** These things changed: kind:id. */
  changed?: (targets: string[]) => void
  /** The health lines changed. */
  health?: () => void
  /** These conversations have news. */
  news?: (ids: string[]) => void
  /** Something has happened to the member's own conversations. */
  mine?: () => void
  /** The server asks who is there. */
  beat?: () => void
  /** The stream is away; it comes back by itself. */
  lost?: () => void
}

type Told = { name: keyof Listener | 'who'; data: string }

const NAMES = ['hello', 'changed', 'health', 'news', 'mine', 'beat'] as const
const RETRY_MS = 3_000
const LONGEST_RETRY_MS = 60_000

const listeners: Listener[] = []
let retry = RETRY_MS
let connected = false

/** The addresses that the server gave the page; none where the member has nothing to do with the chat. */
export function addresses(): DOMStringMap {
  return document.getElementById('live')?.dataset ?? {}
}

export function onLive(listener: Listener): void {
  listeners.push(listener)
}

function tell({ name, data }: Told): void {
  if (name === 'who') return
  for (const listener of listeners) listener[name]?.(data.split(' '))
}

function listen(path: string, say: (told: Told) => void): void {
  const source = new EventSource(path)
  for (const name of NAMES)
    source.addEventListener(name, ({ data }: MessageEvent<string>) => {
      if (name === 'hello') {
        connected = true
        retry = RETRY_MS
      }
      say({ name, data })
    })
  source.addEventListener('error', () => {
    connected = false
    say({ name: 'lost', data: '' })
    if (source.readyState !== EventSource.CLOSED) return
    // A browser gives up after an answer that is no stream, such as one of a server that starts.
    setTimeout(() => listen(path, say), retry)
    retry = Math.min(2 * retry, LONGEST_RETRY_MS)
  })
}

export function startLive(): void {
  const path = addresses().events
  if (!path) return
  if (!('locks' in navigator)) {
    listen(path, tell)
    return
  }
  const channel = new BroadcastChannel('desk-live')
  const say = (told: Told): void => {
    tell(told)
    channel.postMessage(told)
  }
  channel.addEventListener('message', ({ data }: MessageEvent<Told>) => {
    if (data.name === 'who' && connected) channel.postMessage({ name: 'hello', data: '' })
    tell(data)
  })
  channel.postMessage({ name: 'who', data: '' })
  // Whoever has the lock holds the stream until the page goes.
  void navigator.locks.request('desk-live', () => {
    listen(path, say)
    return new Promise<never>(() => undefined)
  })
}
