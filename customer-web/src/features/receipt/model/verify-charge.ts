import { type ChargeReceipt, rateInto } from './evidence'
import { exactScaled } from './exact'
import { isSameQuote } from './same-quote'
import { dividendOf, ONE, SCALE, swapOf } from './sums'

/** Hour in New York at which a trading day ends. */
const ROLLOVER_HOUR = 17

/** Time before a rollover at which its prices are taken. */
const SETTLING_MS = 1000

/** Checks that the quotes are those the charge refers to, and that the fills belong to its position. */
export function chargeQuotesFit({ charge, fills, quote, conversion }: ChargeReceipt): boolean {
  const own =
    charge.quoteSeq === undefined ? undefined : { ...charge.product, seq: charge.quoteSeq }
  return (
    isSameQuote(quote, own) &&
    isSameQuote(conversion, charge.conversion) &&
    (charge.quoteSeq === undefined) === (charge.price === undefined) &&
    fills.every(
      ({ positionId, accountId, product }) =>
        positionId === charge.positionId &&
        accountId === charge.accountId &&
        product.productId === charge.product.productId,
    )
  )
}

/** Checks that the rollover matches its day, and that no quote is later than the pricing time. */
export function rolloverFits({ charge, quote, conversion }: ChargeReceipt): boolean {
  const quotes = [quote, conversion].filter((one) => one !== undefined)
  return (
    charge.nights >= 1 &&
    inNewYork(charge.marketTime) === `${charge.day} ${ROLLOVER_HOUR}:00:00` &&
    charge.marketTime % 1000 === 0 &&
    quotes.every(({ time }) => time <= charge.marketTime - SETTLING_MS)
  )
}

/** 2026-11-24 17:00:00: a moment in New York time. */
function inNewYork(at: number): string {
  return new Intl.DateTimeFormat('sv-SE', {
    timeZone: 'America/New_York',
    dateStyle: 'short',
    timeStyle: 'medium',
  }).format(at)
}

/** Checks that the fills before the rollover left the charged lots open on its side. */
export function lotsFit({ charge, fills }: ChargeReceipt): boolean {
  let open = 0n
  let last = 0
  for (const fill of fills) {
    const lots = exactScaled(fill.lots, SCALE)
    const opens = fill.entry === 'open'
    if (lots === null || fill.fillId <= last || fill.marketTime >= charge.marketTime) return false
    if ((fill.side === charge.side) !== opens) return false
    open += opens ? lots : -lots
    if (open < 0n) return false
    last = fill.fillId
  }
  return open > 0n && open === exactScaled(charge.lots, SCALE)
}

/** Checks that the amount matches its calculation. */
export function amountFits({ charge, quote, conversion }: ChargeReceipt): boolean {
  const { product, kind, side } = charge
  const percent = kind === 'swap' && product.swapModel === 'percent'
  const taken = side === 'buy' ? quote?.bid : quote?.ask
  const price = charge.price === undefined ? null : exactScaled(charge.price, product.point)
  if (percent !== (price !== null)) return false
  if (percent && price !== exactScaled(taken ?? '', product.point)) return false
  const free = kind === 'swap' && product.swapModel === 'money'
  const converter = rateInto(product.quote, charge.conversion, conversion)
  const rate = free ? (charge.conversion ? null : ONE) : converter
  const [lots, each, amount] = [charge.lots, charge.rate, charge.amount].map((text) =>
    exactScaled(text, SCALE),
  )
  if (!rate || lots == null || each == null || amount == null) return false
  const terms = { contractSize: BigInt(product.contractSize), point: product.point, lots, rate }
  const sum =
    kind === 'dividend'
      ? dividendOf(terms, side, each)
      : swapOf(terms, product.swapModel, each, BigInt(charge.nights), price ?? 0n)
  return sum === amount && charge.unit === unitOf(charge)
}

/** The unit of the rate. */
function unitOf({ kind, product }: ChargeReceipt['charge']): string | undefined {
  if (kind === 'dividend') return product.quote
  return product.swapModel === 'money' ? 'USDT' : product.swapModel
}
