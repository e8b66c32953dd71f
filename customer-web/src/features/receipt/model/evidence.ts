import type { Wire } from '@/api/client'
import { exactScaled } from './exact'
import { type CommissionTerms, ONE, type Rate, rateFrom, SCALE, type SumTerms } from './sums'

export type Receipt = Wire['Receipt']
export type Fill = Wire['Fill']
export type ProvedQuote = Wire['ProvedQuote']

/** A receipt with the fills of its position, oldest first: a close is only proved by what opened it. */
export type Proof = { receipt: Receipt; fills: readonly Fill[] }

/** The numbers of a receipt as the sums take them. Null when one is missing or is no number. */
export type Evidence = {
  side: 'buy' | 'sell'
  /** The side of the position: that of the fill when it opens, the other one when it closes. */
  positionSide: 'buy' | 'sell'
  price: bigint
  openPrice: bigint | null
  terms: SumTerms
  marginRate: Rate
  leverage: bigint
  commissionTerms: CommissionTerms
  margin: bigint
  profit: bigint
  commission: bigint
}

export function readEvidence(receipt: Receipt): Evidence | null {
  const { fill, product } = receipt
  const rate = conversionRate(receipt)
  const marginRate = marginRateOf(receipt)
  const lots = exactScaled(fill.lots, SCALE)
  const price = exactScaled(fill.price, product.point)
  const openPrice = receipt.openPrice ? exactScaled(receipt.openPrice, product.point) : null
  const [margin, profit, commission] = [fill.margin, fill.profit, fill.commission].map(money)
  const [perLot, min] = [product.commissionPerLot, product.commissionMin].map(money)
  if (!rate || !marginRate || !isWhole(lots) || !isWhole(price)) return null
  if (!isWhole(margin) || !isWhole(profit) || !isWhole(commission)) return null
  if (!isWhole(perLot) || !isWhole(min)) return null
  if (!(receipt.leverage > 0) || lots <= 0n) return null
  return {
    side: fill.side,
    positionSide: fill.entry === 'open' ? fill.side : fill.side === 'buy' ? 'sell' : 'buy',
    price,
    openPrice,
    terms: { contractSize: BigInt(product.contractSize), point: product.point, lots, rate },
    marginRate,
    leverage: BigInt(receipt.leverage),
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

/** Converts profit and commission: the middle of the conversion quote. Null when it is missing. */
export function conversionRate({ product, conversion, conversionInverse }: Receipt): Rate | null {
  return isDollar(product.quote) ? ONE : midRate(conversion, conversionInverse)
}

/** Converts the margin; of a close it has no meaning and is one. */
export function marginRateOf(receipt: Receipt): Rate | null {
  const { fill, product, marginConversion, marginInverse } = receipt
  if (fill.entry === 'close') return ONE
  const currency = product.marginModel === 'forex' ? product.base : product.quote
  if (isDollar(currency)) return ONE
  if (!isOwnMarginRate(receipt)) return midRate(marginConversion, marginInverse)
  const price = exactScaled(fill.price, product.point)
  return isWhole(price) && price > 0n ? rateFrom(2n * price, product.point, marginInverse) : null
}

/** A product that converts its own base currency does so at the order's own price, not at the middle. */
export function isOwnMarginRate({ product, marginConversion }: Receipt): boolean {
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

/** The quotes a receipt names, each once: the fill's own, then those that converted currencies. */
export function quotesOf({ quote, conversion, marginConversion }: Receipt): ProvedQuote[] {
  const named: ProvedQuote[] = [quote]
  for (const one of [conversion, marginConversion]) {
    if (one && !named.some(({ productId, seq }) => productId === one.productId && seq === one.seq))
      named.push(one)
  }
  return named
}

/** Whether every quote has its place in the sealed tape. */
export function isSealed(receipt: Receipt): boolean {
  const { quote, conversion, marginConversion } = receipt
  return [quote, conversion, marginConversion].every((one) => !one || one.sealed)
}
