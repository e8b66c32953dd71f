import { type DayFigures, type LiveQuote, type QuoteStore, quoteStore } from '@/live/quote-store'
import { atNextBeat, currentBeat, leaveBeat } from './row-beat'

type Listener = () => void

/** One product's quote as a row shows it: the newest, but no more often than the beat of all rows. */
export class PacedQuote {
  private shown: LiveQuote | undefined
  private day: DayFigures | undefined
  private toldAt = 0
  private waits = false
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

  /** The 24-hour figures that the tickers brought; undefined before the first. */
  readonly getDay = (): DayFigures | undefined => this.day

  /** Tells of every change that is shown until the answer is called; the first to listen subscribes to the product, the last to leave ends that. */
  readonly listen = (changed: Listener): Listener => {
    if (this.listeners.size === 0) this.follow()
    this.listeners.add(changed)
    return () => {
      this.listeners.delete(changed)
      if (this.listeners.size > 0) return
      this.stop()
      leaveBeat(this.tell)
      this.waits = false
    }
  }

  private follow(): void {
    this.read()
    this.stop = this.store.listen(this.productId, () => {
      if (this.waits) return
      this.waits = this.toldAt === currentBeat()
      if (this.waits) atNextBeat(this.tell)
      else this.tell()
    })
  }

  private read(): void {
    this.shown = this.store.get(this.productId)
    this.day = this.store.day(this.productId)
  }

  private readonly tell = (): void => {
    this.waits = false
    this.toldAt = currentBeat()
    this.read()
    for (const changed of this.listeners) changed()
  }
}
