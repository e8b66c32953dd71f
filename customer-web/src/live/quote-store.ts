import type { Wire } from '@/api/client'
import { nextFrame } from '@/ui/next-frame'

/** A product's latest quote, as decimal strings; `seenAt` is when it reached this device (ms). */
export type LiveQuote = {
  productId: number
  bid: string
  ask: string
  spread: string
  sequence: number
  /** Market time, ms. */
  time: number
  seenAt: number
  /** Whether the product is halted; unknown until its first quote. */
  halted?: boolean
}

/** A product's 24-hour figures from the tickers. */
export type DayFigures = Pick<
  Wire['Product'],
  'productId' | 'open24Hours' | 'close24Hours' | 'high24Hours' | 'low24Hours'
>

type Listener = () => void

/**
 * The latest quotes, outside React. Quotes are stored as they arrive, and the listeners of their products are
 * called once a frame. Products with listeners are the ones to subscribe to. A hidden tab has no frames: it only
 * stores the latest quote until it is visible again.
 */
export class QuoteStore {
  private readonly quotes = new Map<number, LiveQuote>()
  private readonly days = new Map<number, DayFigures>()
  private readonly listeners = new Map<number, Set<Listener>>()
  private readonly changed = new Set<number>()
  private scheduled = false
  private watchedChanged: Listener = () => {}

  /** Calls back when the set of watched products changes, at most once a frame. */
  onWatchedChange(listener: Listener): void {
    this.watchedChanged = listener
  }

  watched(): number[] {
    return [...this.listeners.keys()]
  }

  get(productId: number): LiveQuote | undefined {
    return this.quotes.get(productId)
  }

  day(productId: number): DayFigures | undefined {
    return this.days.get(productId)
  }

  /** Stores a quote unless a newer one is known. */
  put(line: LiveQuote): void {
    const known = this.quotes.get(line.productId)
    if (known && known.sequence > line.sequence && known.time >= line.time) return
    this.quotes.set(line.productId, line)
    this.change(line.productId)
  }

  putDay(figures: DayFigures): void {
    this.days.set(figures.productId, figures)
    this.change(figures.productId)
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

  private change(productId: number): void {
    if (!this.listeners.has(productId)) return
    this.changed.add(productId)
    this.schedule()
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

export const quoteStore = new QuoteStore()

/** Reads a product's latest quote. */
export const readQuote = (productId: number): LiveQuote | undefined => quoteStore.get(productId)
