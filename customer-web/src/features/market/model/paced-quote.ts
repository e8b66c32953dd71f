import { type LiveQuote, type QuoteStore, quoteStore } from '@/live/quote-store'

/** A row changes at most four times a second: more can't be read. */
export const ROW_PACE_MS = 250

/** One product's quote as a row shows it: the newest, but no more often than the pace. */
export class PacedQuote {
  private shown: LiveQuote | undefined
  private toldAt = 0
  private timer: ReturnType<typeof setTimeout> | undefined
  private readonly productId: number
  private readonly store: QuoteStore

  constructor(productId: number, store: QuoteStore = quoteStore) {
    this.productId = productId
    this.store = store
    this.shown = store.get(productId)
  }

  readonly get = (): LiveQuote | undefined => this.shown

  /** Subscribes to the product until the answer is called. */
  readonly listen = (changed: () => void): (() => void) => {
    this.shown = this.store.get(this.productId)
    const stop = this.store.listen(this.productId, () => this.take(changed))
    return () => {
      stop()
      clearTimeout(this.timer)
      this.timer = undefined
    }
  }

  private take(changed: () => void): void {
    if (this.timer !== undefined) return
    const wait = Math.max(0, this.toldAt + ROW_PACE_MS - Date.now())
    if (wait === 0) this.tell(changed)
    else this.timer = setTimeout(() => this.tell(changed), wait)
  }

  private tell(changed: () => void): void {
    this.timer = undefined
    this.toldAt = Date.now()
    this.shown = this.store.get(this.productId)
    changed()
  }
}
