import { ANIMATION_FALLBACK_MS } from '@/constants'

/** A product's newest line, as decimal strings; `seenAt` is when it reached this device (ms). */
export type LiveQuote = {
  productId: number
  bid: string
  ask: string
  spread: string
  sequence: number
  /** Market time, ms. */
  time: number
  seenAt: number
  /** Whether the product is halted; unknown until its line comes. */
  halted?: boolean
  /** Which way the bid moved against the line before. */
  move: 'up' | 'down' | 'same'
}

type Listener = () => void

const nextFrame: (run: () => void) => void =
  typeof requestAnimationFrame === 'function'
    ? (run) => requestAnimationFrame(run)
    : (run) => setTimeout(run, ANIMATION_FALLBACK_MS)

/**
 * The newest prices, outside React: lines are taken in as they come and told once a frame, only to
 * whoever shows that product. The products that are listened to are the ones to subscribe to.
 */
export class QuoteStore {
  private readonly quotes = new Map<number, LiveQuote>()
  private readonly listeners = new Map<number, Set<Listener>>()
  private readonly changed = new Set<number>()
  private scheduled = false
  private watchedChanged: Listener = () => {}

  /** Calls back, at most once a frame, when the set of watched products changes. */
  onWatchedChange(listener: Listener): void {
    this.watchedChanged = listener
  }

  watched(): number[] {
    return [...this.listeners.keys()]
  }

  get(productId: number): LiveQuote | undefined {
    return this.quotes.get(productId)
  }

  /** Takes a line in unless a newer one is known. */
  put(line: Omit<LiveQuote, 'move'>): void {
    const known = this.quotes.get(line.productId)
    if (known && known.sequence > line.sequence && known.time >= line.time) return
    this.quotes.set(line.productId, { ...line, move: moveOf(known?.bid, line.bid) })
    this.changed.add(line.productId)
    this.schedule()
  }

  listen(productId: number, listener: Listener): () => void {
    const listeners = this.listeners.get(productId) ?? new Set()
    if (listeners.size === 0) {
      this.listeners.set(productId, listeners)
      this.schedule(true)
    }
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
      if (listeners.size > 0) return
      this.listeners.delete(productId)
      this.schedule(true)
    }
  }

  private watchedDirty = false

  private schedule(watched = false): void {
    this.watchedDirty ||= watched
    if (this.scheduled) return
    this.scheduled = true
    nextFrame(() => this.flush())
  }

  private flush(): void {
    this.scheduled = false
    if (this.watchedDirty) {
      this.watchedDirty = false
      this.watchedChanged()
    }
    const changed = [...this.changed]
    this.changed.clear()
    for (const productId of changed) {
      for (const listener of this.listeners.get(productId) ?? []) listener()
    }
  }
}

function moveOf(before: string | undefined, now: string): LiveQuote['move'] {
  const distance = before === undefined ? 0 : Number(now) - Number(before)
  return distance > 0 ? 'up' : distance < 0 ? 'down' : 'same'
}

export const quoteStore = new QuoteStore()
