import type { Product } from '@/features/market/api/products'
import { divideHalfAway, fromScaled, toScaled } from '@/format/arithmetic'
import type { LiveQuote } from '@/live/quote-store'

const SCALE = 6
const UNIT = 10n ** BigInt(SCALE)

/** Returns the latest bid and ask of a product; in the app, the quote store's. */
export type ReadQuote = (productId: number) => Pick<LiveQuote, 'bid' | 'ask'> | undefined

type Side = 'buy' | 'sell'

/** A fraction that converts a currency into the account's. */
type Rate = { multiply: bigint; divide: bigint }

const ONE: Rate = { multiply: 1n, divide: 1n }

/** The conversion rate into the account's currency at the latest prices; null while one is missing. */
export function rateOf(conversion: Product['conversion'], read: ReadQuote): Rate | null {
  if (conversion.productId === 0) return ONE
  const quote = read(conversion.productId)
  if (!quote) return null
  const bid = toScaled(quote.bid, conversion.point)
  const ask = toScaled(quote.ask, conversion.point)
  if (bid === null || ask === null) return null
  const unit = 2n * 10n ** BigInt(conversion.point)
  return conversion.inverse
    ? { multiply: unit, divide: bid + ask }
    : { multiply: bid + ask, divide: unit }
}

function divideUp(numerator: bigint, denominator: bigint): bigint {
  return (numerator + denominator - 1n) / denominator
}

/** The margin of an order in the account's currency; null while a price is missing. The engine decides. */
export function estimateMargin(
  product: Product,
  order: { lots: string; price: string; leverage: number },
  read: ReadQuote,
): string | null {
  const lots = toScaled(order.lots, SCALE)
  const price = toScaled(order.price, product.point)
  if (lots === null || price === null || order.leverage <= 0) return null
  const contract = BigInt(product.contractSize)
  const leverage = BigInt(order.leverage)
  if (product.marginModel === 'forex') {
    const rate =
      product.marginConversion.productId === product.productId
        ? ownRate(product, price)
        : rateOf(product.marginConversion, read)
    if (!rate) return null
    return fromScaled(
      divideHalfAway(lots * contract * rate.multiply, leverage * rate.divide),
      SCALE,
    )
  }
  const rate = rateOf(product.conversion, read)
  if (!rate) return null
  const unit = 10n ** BigInt(product.point)
  return fromScaled(
    divideHalfAway(lots * contract * price * rate.multiply, leverage * unit * rate.divide),
    SCALE,
  )
}

function ownRate(product: Product, price: bigint): Rate {
  const unit = 10n ** BigInt(product.point)
  return product.marginConversion.inverse
    ? { multiply: unit, divide: price }
    : { multiply: price, divide: unit }
}

/** The profit of closing lots at a price, in the account's currency; null while a price is missing. */
export function estimateProfit(
  product: Product,
  deal: { side: Side; lots: string; open: string; close: string },
  read: ReadQuote,
): string | null {
  const lots = toScaled(deal.lots, SCALE)
  const open = toScaled(deal.open, product.point)
  const close = toScaled(deal.close, product.point)
  const rate = rateOf(product.conversion, read)
  if (lots === null || open === null || close === null || !rate) return null
  const move = deal.side === 'buy' ? close - open : open - close
  const unit = 10n ** BigInt(product.point)
  return fromScaled(
    divideHalfAway(move * lots * BigInt(product.contractSize) * rate.multiply, unit * rate.divide),
    SCALE,
  )
}

/** The commission of one fill; null while a price is missing. */
export function estimateCommission(
  product: Product,
  order: { lots: string; price: string },
  read: ReadQuote,
): string | null {
  const lots = toScaled(order.lots, SCALE)
  const price = toScaled(order.price, product.point)
  const rate = rateOf(product.conversion, read)
  if (lots === null || price === null || !rate) return null
  let fee = divideUp(lots * (toScaled(product.commissionPerLot, SCALE) ?? 0n), UNIT)
  if (product.commissionBps > 0) {
    const worth = lots * BigInt(product.contractSize) * price * rate.multiply
    const share = divideUp(
      worth * BigInt(product.commissionBps),
      10n ** BigInt(product.point) * rate.divide * 10_000n,
    )
    const least = toScaled(product.commissionMin, SCALE) ?? 0n
    fee += share > least ? share : least
  }
  return fromScaled(fee, SCALE)
}
