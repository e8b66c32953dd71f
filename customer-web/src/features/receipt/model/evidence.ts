import type { Wire } from '@/api/client'
import { exactScaled } from './exact'
import { type CommissionTerms, ONE, type Rate, rateFrom, SCALE, type SumTerms } from './sums'

export type Receipt = Wire['Receipt']
export type ChargeReceipt = Wire['ChargeReceipt']
/** The receipt of a fill, or of a swap or dividend. */
export type AnyReceipt = Receipt | ChargeReceipt
export type Fill = Wire['SealedFill']
export type Charge = Wire['SealedCharge']
export type ProvedQuote = Wire['ProvedQuote']

/** Where an entry is sealed; both fields are absent for the seconds before that. */
export type Sealing = Pick<ProvedQuote, 'head' | 'path'>

/** The parsed numbers of a receipt; null if one is missing or invalid. */
export type Evidence = {
  side: 'buy' | 'sell'
  /** The position's side: the fill's when it opens, the opposite when it closes. */
  positionSide: 'buy' | 'sell'
  price: bigint
  openPrice: bigint | null
  /** Lots × price of the opening, for the lots a close released. */
  openValue: bigint | null
  terms: SumTerms
  marginRate: Rate
  leverage: bigint
  commissionTerms: CommissionTerms
  margin: bigint
  profit: bigint
  commission: bigint
}

export function readEvidence(receipt: Receipt): Evidence | null {
  const { fill } = receipt
  const { product } = fill
  const rate = conversionRate(receipt)
  const marginRate = marginRateOf(receipt)
  const lots = exactScaled(fill.lots, SCALE)
  const price = exactScaled(fill.price, product.point)
  const openPrice = fill.openPrice ? exactScaled(fill.openPrice, product.point) : null
  const openValue = fill.openValue ? exactScaled(fill.openValue, SCALE + product.point) : null
  const [margin, profit, commission] = [fill.margin, fill.profit, fill.commission].map(money)
  const [perLot, min] = [product.commissionPerLot, product.commissionMin].map(money)
  if (!rate || !marginRate || !isWhole(lots) || !isWhole(price)) return null
  if (!isWhole(margin) || !isWhole(profit) || !isWhole(commission)) return null
  if (!isWhole(perLot) || !isWhole(min)) return null
  if (!(fill.leverage > 0) || lots <= 0n) return null
  return {
    side: fill.side,
    positionSide: fill.entry === 'open' ? fill.side : fill.side === 'buy' ? 'sell' : 'buy',
    price,
    openPrice,
    openValue,
    terms: { contractSize: BigInt(product.contractSize), point: product.point, lots, rate },
    marginRate,
    leverage: BigInt(fill.leverage),
    commissionTerms: { perLot, bps: BigInt(product.commissionBps), min },
    margin,
    profit,
    commission,
  }
}

/** USD and USDT count as the account's currency. */
export function isDollar(currency: string): boolean {
  return currency === 'USD' || currency === 'USDT'
}

/**
 * The rate for profit and commission: the mid price of the conversion quote. Null if it is missing or converts
 * another currency.
 */
export function conversionRate({ fill, conversion }: Receipt): Rate | null {
  return rateInto(fill.product.quote, fill.conversion, conversion)
}

/**
 * The rate from a currency into the account's, by the mid price of a quote. Null if the quote is missing, not
 * needed, or of another conversion.
 */
export function rateInto(
  currency: string,
  by: Conversion | undefined,
  quote: ProvedQuote | undefined,
): Rate | null {
  if (isDollar(currency)) return by ? null : ONE
  return converts(by, currency) ? midRate(quote, by.inverse) : null
}

/** The margin's conversion rate; not needed for a close, where it is one. */
export function marginRateOf(receipt: Receipt): Rate | null {
  const { fill, marginConversion } = receipt
  const { product } = fill
  if (fill.entry === 'close') return ONE
  const currency = product.marginModel === 'forex' ? product.base : product.quote
  if (isDollar(currency)) return ONE
  if (!converts(fill.marginConversion, currency)) return null
  const { inverse } = fill.marginConversion
  if (!isOwnMarginRate(receipt)) return midRate(marginConversion, inverse)
  const price = exactScaled(fill.price, product.point)
  return isWhole(price) && price > 0n ? rateFrom(2n * price, product.point, inverse) : null
}

type Conversion = NonNullable<Fill['conversion']>

/** Reports whether a product, in the stated direction, converts a currency into the account's. */
function converts(by: Conversion | undefined, currency: string): by is Conversion {
  if (!by) return false
  return by.inverse
    ? isDollar(by.base) && by.quote === currency
    : by.base === currency && isDollar(by.quote)
}

/** A product that converts its own base currency uses the order's price, not the mid price. */
export function isOwnMarginRate({ fill }: Receipt): boolean {
  const { product, marginConversion } = fill
  return product.marginModel === 'forex' && marginConversion?.productId === product.productId
}

function midRate(quote: ProvedQuote | undefined, inverse: boolean): Rate | null {
  if (!quote) return null
  const bid = exactScaled(quote.bid, quote.point)
  const ask = exactScaled(quote.ask, quote.point)
  if (!isWhole(bid) || !isWhole(ask) || bid + ask <= 0n) return null
  return rateFrom(bid + ask, quote.point, inverse)
}

function money(text: string): bigint | null {
  return exactScaled(text, SCALE)
}

function isWhole(value: bigint | null | undefined): value is bigint {
  return typeof value === 'bigint'
}

/** Every quote in the receipt: its own, a trailing stop's, the conversions', and a stop-out's. */
export function statedQuotes(receipt: AnyReceipt): ProvedQuote[] {
  const { quote, conversion } = receipt
  const stated =
    'charge' in receipt
      ? [quote, conversion]
      : [quote, receipt.best, conversion, receipt.marginConversion, ...(receipt.held ?? [])]
  return stated.filter((one) => one !== undefined)
}

/** The receipt's quotes without duplicates. */
export function quotesOf(receipt: AnyReceipt): ProvedQuote[] {
  const named: ProvedQuote[] = []
  for (const one of statedQuotes(receipt)) {
    if (!named.some(({ productId, seq }) => productId === one.productId && seq === one.seq))
      named.push(one)
  }
  return named
}

/** The receipt's fills: its own, earlier ones of the position, and the one it was settled against. */
export function fillsOf(receipt: AnyReceipt): Fill[] {
  if ('charge' in receipt) return receipt.fills
  const { fill, earlier, byFill } = receipt
  return [fill, ...earlier, ...(byFill ? [byFill] : [])]
}

/** The subject of a receipt. */
export function subjectOf(receipt: AnyReceipt): Fill | Charge {
  return 'charge' in receipt ? receipt.charge : receipt.fill
}

/** Reports whether the subject, every fill and every quote is in a sealed batch. */
export function isSealed(receipt: AnyReceipt): boolean {
  return [subjectOf(receipt), ...fillsOf(receipt), ...quotesOf(receipt)].every(
    ({ head }) => head !== undefined,
  )
}
