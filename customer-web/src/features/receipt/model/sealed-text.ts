import type { Charge, Fill } from './evidence'
import { exactScaled } from './exact'
import { SCALE } from './sums'

/** A value to write: undefined omits the line, null invalidates the text. */
type Fact = number | bigint | string | boolean | null | undefined
type Converter = NonNullable<Fill['conversion']>

/**
 * The text a fill was sealed with (docs/proof.md): one line per fact, prices as integers of the product's last
 * decimal, lots and money in millionths. Absent facts have no line. Null if a number is invalid.
 */
export function fillText(fill: Fill): string | null {
  const { product } = fill
  const price = (text: string) => exactScaled(text, product.point)
  return textOf([
    ['fill', fill.fillId],
    ['order', fill.orderId],
    ['position', fill.positionId],
    ['account', fill.accountId],
    ...productFacts('product', product),
    ['contract', product.contractSize],
    ['model', product.marginModel],
    ['terms', product.terms],
    ['lot-fee', money(product.commissionPerLot)],
    ['fee-bps', product.commissionBps],
    ['least-fee', money(product.commissionMin)],
    ['side', fill.side],
    ['entry', fill.entry],
    ['rule', fill.rule],
    ['lots', money(fill.lots)],
    ['price', price(fill.price)],
    ['quote', fill.quoteSeq],
    ['best', fill.bestSeq],
    ['trail-since', fill.trailSinceSeq],
    ['open-price', fill.openPrice && price(fill.openPrice)],
    ['open-value', fill.openValue && exactScaled(fill.openValue, SCALE + product.point)],
    ['limit-price', fill.limitPrice && price(fill.limitPrice)],
    ['by-position', fill.byPositionId],
    ['leverage', fill.leverage],
    ['margin', money(fill.margin)],
    ['commission', money(fill.commission)],
    ['profit', money(fill.profit)],
    ...converterFacts('conversion', fill.conversion),
    ...converterFacts('margin-conversion', fill.marginConversion),
    ['transaction', fill.transactionId],
    ['equity', money(fill.equityBefore)],
    ['used-margin', money(fill.usedBefore)],
    ...stopOutFacts(fill.standing),
    ['time', fill.time],
    ['market-time', fill.marketTime],
    ['salt', fill.salt],
  ])
}

/** The text a swap or dividend was sealed with, in the same format. */
export function chargeText(charge: Charge): string | null {
  const { product } = charge
  return textOf([
    ['charge', charge.chargeId],
    ['kind', charge.kind],
    ['position', charge.positionId],
    ['account', charge.accountId],
    ...productFacts('product', product),
    ['contract', product.contractSize],
    ['terms', product.terms],
    ['swap', product.swapModel],
    ['rate', money(charge.rate)],
    ['unit', charge.unit],
    ['day', charge.day],
    ['nights', charge.nights],
    ['side', charge.side],
    ['lots', money(charge.lots)],
    ['price', charge.price && exactScaled(charge.price, product.point)],
    ['quote', charge.quoteSeq],
    ...converterFacts('conversion', charge.conversion),
    ['amount', money(charge.amount)],
    ['transaction', charge.transactionId],
    ['time', charge.time],
    ['market-time', charge.marketTime],
    ['salt', charge.salt],
  ])
}

function textOf(facts: [string, Fact][]): string | null {
  if (facts.some(([, value]) => value === null)) return null
  return facts
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name} ${value}\n`)
    .join('')
}

function money(text: string): bigint | null {
  return exactScaled(text, SCALE)
}

/** The lines of a stop-out snapshot: the account's own money, the margin call, and each open position. */
function stopOutFacts(standing: Fill['standing']): [string, Fact][] {
  if (!standing) return []
  const { worth, call, positions } = standing
  return [
    ['worth', money(worth)],
    ['call', call.marginCallId],
    ['call-equity', money(call.equity)],
    ['call-used-margin', money(call.usedMargin)],
    ['call-time', call.time],
    ['call-market-time', call.marketTime],
    ...positions.flatMap((held): [string, Fact][] => [
      ['held', held.positionId],
      ...productFacts('held-product', held.product),
      ['held-contract', held.product.contractSize],
      ['held-terms', held.product.terms],
      ['held-tiers', held.product.tiers],
      ['held-hedged-bps', held.product.hedgedRatioBps],
      ['held-side', held.side],
      ['held-lots', money(held.lots)],
      ['held-open-value', exactScaled(held.openValue, SCALE + held.product.point)],
      ['held-leverage', held.leverage],
      ['held-margin', money(held.margin)],
      ['held-price', exactScaled(held.price, held.product.point)],
      ['held-quote', held.quoteSeq],
      ...converterFacts('held-conversion', held.conversion),
      ['held-profit', money(held.profit)],
      ['held-skipped', held.skipped],
    ]),
  ]
}

function productFacts(
  name: string,
  { productId, productNo, base, quote, point }: Omit<Converter, 'seq' | 'inverse'>,
): [string, Fact][] {
  return [
    [name, productId],
    [`${name}-symbol`, productNo],
    [`${name}-base`, base],
    [`${name}-quote`, quote],
    [`${name}-point`, point],
  ]
}

function converterFacts(name: string, by: Converter | undefined): [string, Fact][] {
  if (!by) return []
  return [...productFacts(name, by), [`${name}-seq`, by.seq], [`${name}-inverse`, by.inverse]]
}
