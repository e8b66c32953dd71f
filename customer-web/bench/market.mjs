// A market of 200 products for the benchmark, made by a formula: the same prices every time.

export const PRODUCTS = 200

/** The same numbers for everybody, every time, from 0 up to 1. */
function sequence(seed) {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

/** A symbol of six letters, as currency pairs have it. */
function symbolOf(id) {
  const letter = (place) => String.fromCharCode(65 + (Math.floor(id / 26 ** place) % 26))
  return `Q${letter(1)}${letter(0)}USD`
}

/** Every price is a whole number of the last decimal. */
function text(points, decimals) {
  const digits = String(points).padStart(decimals + 1, '0')
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

/** A product whose bid moves with each tick. */
class Quote {
  constructor(id) {
    this.random = sequence(id * 7_919)
    this.id = id
    this.decimals = id % 3 === 0 ? 2 : 5
    this.open = 100_000 + Math.floor(this.random() * 400_000)
    this.bid = this.open
    this.spread = 3 + (id % 9)
    this.sequence = 0
  }

  text(points) {
    return text(points, this.decimals)
  }

  /** The next price: one to four points up or down, never the same. */
  tick(time) {
    const move = 1 + Math.floor(this.random() * 4)
    this.bid += this.random() < 0.5 ? -move : move
    this.sequence += 1
    return {
      productId: this.id,
      bid: this.text(this.bid),
      ask: this.text(this.bid + this.spread),
      price: this.text(this.bid),
      spread: this.text(this.spread),
      sequence: this.sequence,
      time,
      halted: false,
    }
  }

  day() {
    const low = Math.min(this.open, this.bid) - 400
    const high = Math.max(this.open, this.bid) + 400
    return {
      productId: this.id,
      open24Hours: this.text(this.open),
      close24Hours: this.text(this.bid),
      high24Hours: this.text(high),
      low24Hours: this.text(low),
    }
  }

  product() {
    const symbol = symbolOf(this.id)
    const own = { productId: 0, inverse: false, point: 0 }
    return {
      ...this.day(),
      productNo: symbol,
      productName: `${symbol.slice(0, 3)} / US dollar`,
      url: '',
      type: 'forex',
      base: symbol.slice(0, 3),
      quote: 'USD',
      point: this.decimals,
      spread: this.text(this.spread),
      lastPrice: this.text(this.bid),
      sellPrice: this.text(this.bid),
      buyPrice: this.text(this.bid + this.spread),
      multiple: '100,50',
      contractSize: 100_000,
      ...{ lotMin: '0.01', lotStep: '0.01', lotMax: '50' },
      ...{ marginModel: 'forex', hedgedRatio: '0.5' },
      ...{ commissionPerLot: '0', commissionBps: 0, commissionMin: '0' },
      ...{ stopLevel: 20, staleMs: 10_000, mode: 'full', tiers: [], spreadMarkup: 0 },
      ...{ swapModel: 'points', swapLong: '-8.9', swapShort: '2.4', tripleDay: 3 },
      ...{ conversion: own, marginConversion: own },
    }
  }

  line() {
    const random = sequence(this.id * 104_729)
    const line = Array.from({ length: 96 }, () => this.text(this.open + Math.floor(random() * 300)))
    const {
      open24Hours: open,
      high24Hours: high,
      low24Hours: low,
      close24Hours: close,
    } = this.day()
    return { productId: this.id, open, high, low, close, line }
  }
}

const quotes = Array.from({ length: PRODUCTS }, (_, at) => new Quote(at + 1))

/** One line of every product, as one frame of the websocket brings them. */
export const tickAll = (now = Date.now()) => quotes.map((quote) => quote.tick(now))

/** The 24-hour figures of every product. */
export const tickers = () => quotes.map((quote) => quote.day())

/** What the app asks of the API on the page of quotes, by path. */
export const answers = {
  '/client/common/platformRunningStatus': () => 1,
  '/client/api/findProductList': () => quotes.map((quote) => quote.product()),
  '/client/api/getPreheatedProductList': () => [1, 2, 3],
  '/client/api/fp24hp': ({ searchParams }) => {
    const ids = searchParams.get('productNolist').split(',').map(Number)
    return ids.map((id) => quotes[id - 1].line())
  },
  '/client/api/getMarketStatus': () => {
    const now = Date.now()
    const open = { open: true, until: now + 86_400_000, halted: false, stale: false }
    return {
      ...{ serverTime: now, marketTime: now, feed: 'simulated', tapeBatch: 1, tapeSealedAt: now },
      products: quotes.map(({ id }) => ({ productId: id, ...open })),
    }
  },
  '/client/api/findByBannerList': () => [],
  '/client/config/findFrontConfigList': () => [],
}
