import { type DayFigures, type LiveQuote, type QuoteStore, quoteStore } from '@/live/quote-store'
import { cancelNextInterval, currentInterval, onNextInterval } from './row-throttle'

type Listener = () => void

/** One product's latest quote, updated at most once per row interval. */
export class ThrottledQuote {
  private shown: LiveQuote | undefined
  private day: DayFigures | undefined
  private notifiedAt = 0
  private scheduled = false
  private readonly listeners = new Set<Listener>()
  private stop: Listener = () => {}
  private readonly productId: number
  private readonly store: QuoteStore

  constructor(productId: number, store: QuoteStore = quoteStore) {
    this.productId = productId
    this.store = store
    this.read()
  }

  readonly get = (): LiveQuote | undefined => this.shown

  /** The 24-hour figures from the tickers; undefined before the first. */
  readonly getDay = (): DayFigures | undefined => this.day

  /**
   * Calls back on every shown change; returns the unsubscribe function. The first listener subscribes to the
   * product, the last one unsubscribes.
   */
  readonly listen = (listener: Listener): Listener => {
    if (this.listeners.size === 0) this.follow()
    this.listeners.add(listener)
    return () => {
      this.listeners.delete(listener)
      if (this.listeners.size > 0) return
      this.stop()
      cancelNextInterval(this.notify)
      this.scheduled = false
    }
  }

  private follow(): void {
    this.read()
    this.stop = this.store.listen(this.productId, () => {
      if (this.scheduled) return
      this.scheduled = this.notifiedAt === currentInterval()
      if (this.scheduled) onNextInterval(this.notify)
      else this.notify()
    })
  }

  private read(): void {
    this.shown = this.store.get(this.productId)
    this.day = this.store.day(this.productId)
  }

  private readonly notify = (): void => {
    this.scheduled = false
    this.notifiedAt = currentInterval()
    this.read()
    for (const listener of this.listeners) listener()
  }
}
