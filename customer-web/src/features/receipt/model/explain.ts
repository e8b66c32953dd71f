import { directionOf, formatAmount } from '@/format/amount'
import { fromScaled } from '@/format/arithmetic'
import { MINUS } from '@/format/decimal'
import { formatPrice } from '@/format/price'
import { type Fill, isDollar, isOwnMarginRate, type ProvedQuote, type Receipt } from './evidence'
import { exactScaled } from './exact'
import { pow10, SCALE } from './sums'
import { releasedBy } from './verify'

/** One sum of a receipt with its formula. */
export type SumLine = {
  name: 'value' | 'margin' | 'released' | 'profit' | 'commission'
  /** Empty if the remaining margin is released in full. */
  formula: string
  result: string
  /** The currency of the result. */
  unit: string
  /** The minimum charge, if it applies instead of the sum. */
  minimum?: string
}

const ACCOUNT_CURRENCY = 'USDT'

export function sumsOf(receipt: Receipt): SumLine[] {
  return receipt.fill.entry === 'open'
    ? [valueLine(receipt.fill), marginLine(receipt), commissionLine(receipt)]
    : [profitLine(receipt), ...releasedLine(receipt), commissionLine(receipt)]
}

function valueLine(fill: Fill): SumLine {
  const { product } = fill
  const lots = exactScaled(fill.lots, SCALE) ?? 0n
  const price = exactScaled(fill.price, product.point) ?? 0n
  const worth = lots * BigInt(product.contractSize) * price
  return {
    name: 'value',
    formula: `${lotsText(fill.lots)} × ${sizeText(product)} × ${formatPrice(fill.price, product.point)}`,
    result: formatAmount(fromScaled(worth / pow10(product.point), SCALE)),
    unit: product.quote,
  }
}

function marginLine(receipt: Receipt): SumLine {
  const { fill } = receipt
  const { product, leverage } = fill
  const price =
    product.marginModel === 'forex' ? '' : ` × ${formatPrice(fill.price, product.point)}`
  const rate = marginRateLine(receipt)
  return {
    name: 'margin',
    formula: `${lotsText(fill.lots)} × ${sizeText(product)}${price}${rate ? rateText(rate) : ''} ÷ ${leverage}`,
    result: formatAmount(fill.margin),
    unit: ACCOUNT_CURRENCY,
  }
}

function releasedLine(receipt: Receipt): SumLine[] {
  const released = releasedBy(receipt)
  if (!released) return []
  const { of, lots, ofLots } = released
  const whole = formatAmount(fromScaled(of, SCALE))
  const share = `${lotsText(fromScaled(lots, SCALE))} ÷ ${lotsText(fromScaled(ofLots, SCALE))}`
  return [
    {
      name: 'released',
      formula: lots === ofLots ? '' : `${whole} × ${share}`,
      result: formatAmount(receipt.fill.margin),
      unit: ACCOUNT_CURRENCY,
    },
  ]
}

function profitLine(receipt: Receipt): SumLine {
  const { fill } = receipt
  const { product, openPrice } = fill
  const close = formatPrice(fill.price, product.point)
  const open = formatPrice(openPrice, product.point)
  // A sell fill closes a buy, so it gains the close price minus the opening price.
  const move = fill.side === 'sell' ? `(${close} ${MINUS} ${open})` : `(${open} ${MINUS} ${close})`
  const rate = conversionRateLine(receipt)
  return {
    name: 'profit',
    formula: `${move} × ${lotsText(fill.lots)} × ${sizeText(product)}${rate ? rateText(rate) : ''}`,
    result: `${directionOf(fill.profit) === 'up' ? '+' : ''}${formatAmount(fill.profit)}`,
    unit: ACCOUNT_CURRENCY,
  }
}

function commissionLine(receipt: Receipt): SumLine {
  const { fill } = receipt
  const { product } = fill
  const parts: string[] = []
  const perLot = exactScaled(product.commissionPerLot, SCALE) ?? 0n
  if (perLot !== 0n || product.commissionBps === 0) {
    parts.push(`${lotsText(fill.lots)} × ${formatAmount(product.commissionPerLot)}`)
  }
  if (product.commissionBps !== 0) {
    const rate = conversionRateLine(receipt)
    const worth = `${lotsText(fill.lots)} × ${sizeText(product)} × ${formatPrice(fill.price, product.point)}`
    parts.push(`${worth}${rate ? rateText(rate) : ''} × ${product.commissionBps} ÷ 10,000`)
  }
  const least = exactScaled(product.commissionMin, SCALE) ?? 0n
  return {
    name: 'commission',
    formula: parts.join(' + '),
    result: formatAmount(fill.commission),
    unit: ACCOUNT_CURRENCY,
    ...(product.commissionBps !== 0 && least > 0n
      ? { minimum: formatAmount(product.commissionMin) }
      : {}),
  }
}

/** A rate used by a sum, and its quote. */
export type RateLine = {
  quote: ProvedQuote
  /** The price of one `from` in `to`. */
  from: string
  to: string
  rate: string
  /** Divides instead of multiplying. */
  inverse: boolean
  /** Uses the order's price instead of the mid price. */
  own: boolean
}

/** The receipt's rates without duplicates. */
export function ratesOf(receipt: Receipt): RateLine[] {
  const rates: RateLine[] = []
  for (const line of [conversionRateLine(receipt), marginRateLine(receipt)]) {
    if (line && !rates.some((known) => known.from === line.from && known.rate === line.rate))
      rates.push(line)
  }
  return rates
}

function conversionRateLine(receipt: Receipt): RateLine | null {
  const { fill, conversion } = receipt
  const currency = fill.product.quote
  if (!conversion || !fill.conversion || isDollar(currency)) return null
  return middle(conversion, currency, fill.conversion.inverse)
}

function marginRateLine(receipt: Receipt): RateLine | null {
  const { fill, marginConversion } = receipt
  const { product } = fill
  const currency = product.marginModel === 'forex' ? product.base : product.quote
  if (fill.entry === 'close' || isDollar(currency)) return null
  if (!marginConversion || !fill.marginConversion) return null
  const rate = middle(marginConversion, currency, fill.marginConversion.inverse)
  if (!isOwnMarginRate(receipt)) return rate
  return {
    ...rate,
    rate: formatPrice(fill.price, product.point),
    own: true,
  }
}

export function middle(quote: ProvedQuote, currency: string, inverse: boolean): RateLine {
  const bid = exactScaled(quote.bid, quote.point) ?? 0n
  const ask = exactScaled(quote.ask, quote.point) ?? 0n
  // Half of the sum, with one more decimal so that nothing is truncated.
  const rate = formatPrice(fromScaled((bid + ask) * 5n, quote.point + 1), quote.point + 1)
  const [from, to] = inverse ? ['USD', currency] : [currency, 'USD']
  return { quote, from, to, rate, inverse, own: false }
}

/** A rate as the end of a formula. */
export function rateText({ rate, inverse }: RateLine): string {
  return `${inverse ? ' ÷ ' : ' × '}${rate}`
}

function lotsText(lots: string): string {
  return formatAmount(lots)
}

function sizeText({ contractSize, base }: Fill['product']): string {
  return `${formatAmount(contractSize)} ${base}`
}
