import type { Wire } from '@/api/client'
import { exactScaled } from './exact'
import { type CommissionTerms, ONE, type Rate, rateFrom, SCALE, type SumTerms } from './sums'

export type Receipt = Wire['Receipt']
export type ChargeReceipt = Wire['ChargeReceipt']
/** The proof of a deal, or of a swap or dividend. */
export type AnyReceipt = Receipt | ChargeReceipt
export type Fill = Wire['SealedFill']
export type Charge = Wire['SealedCharge']
export type ProvedQuote = Wire['ProvedQuote']

/** Where something is sealed; both are absent for the seconds before it is. */
export type Sealing = Pick<ProvedQuote, 'head' | 'path'>

/** The numbers of a receipt as the sums take them. Null when one is missing or is no number. */
export type Evidence = {
  side: 'buy' | 'sell'
  /** The side of the position: that of the fill when it opens, the other one when it closes. */
  positionSide: 'buy' | 'sell'
  price: bigint
  openPrice: bigint | null
  /** Lots × price of the opening that a close released. */
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

/** USD and USDT count as the account's own currency. */
export function isDollar(currency: string): boolean {
  return currency === 'USD' || currency === 'USDT'
}

/** Converts profit and commission: the middle of the conversion quote. Null when it is missing or converts something else. */
export function conversionRate({ fill, conversion }: Receipt): Rate | null {
  return rateInto(fill.product.quote, fill.conversion, conversion)
}

/** Converts a currency into the account's by the middle of a quote. Null when that is missing, not needed, or of something else. */
export function rateInto(
  currency: string,
  by: Conversion | undefined,
  quote: ProvedQuote | undefined,
): Rate | null {
  if (isDollar(currency)) return by ? null : ONE
  return converts(by, currency) ? midRate(quote, by.inverse) : null
}

/** Converts the margin; of a close it has no meaning and is one. */
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

/** Whether a product, that way up, makes a currency the account's. */
function converts(by: Conversion | undefined, currency: string): by is Conversion {
  if (!by) return false
  return by.inverse
    ? isDollar(by.base) && by.quote === currency
    : by.base === currency && isDollar(by.quote)
}

/** A product that converts its own base currency does so at the order's own price, not at the middle. */
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

/** Every quote as a receipt states it: its own, a trailing stop's, those that converted currencies, and a stop-out's. */
export function statedQuotes(receipt: AnyReceipt): ProvedQuote[] {
  const { quote, conversion } = receipt
  const stated =
    'charge' in receipt
      ? [quote, conversion]
      : [quote, receipt.best, conversion, receipt.marginConversion, ...(receipt.held ?? [])]
  return stated.filter((one) => one !== undefined)
}

/** The quotes a receipt names, each once. */
export function quotesOf(receipt: AnyReceipt): ProvedQuote[] {
  const named: ProvedQuote[] = []
  for (const one of statedQuotes(receipt)) {
    if (!named.some(({ productId, seq }) => productId === one.productId && seq === one.seq))
      named.push(one)
  }
  return named
}

/** The fills of a receipt: its own, those of its position before it, and the one it was settled against. */
export function fillsOf(receipt: AnyReceipt): Fill[] {
  if ('charge' in receipt) return receipt.fills
  const { fill, earlier, byFill } = receipt
  return [fill, ...earlier, ...(byFill ? [byFill] : [])]
}

/** What a receipt is about. */
export function subjectOf(receipt: AnyReceipt): Fill | Charge {
  return 'charge' in receipt ? receipt.charge : receipt.fill
}

/** Whether its subject, every fill and every quote has its place in a sealed batch. */
export function isSealed(receipt: AnyReceipt): boolean {
  return [subjectOf(receipt), ...fillsOf(receipt), ...quotesOf(receipt)].every(
    ({ head }) => head !== undefined,
  )
}
