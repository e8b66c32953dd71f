import type { Fill } from './evidence'
import { exactScaled } from './exact'
import { SCALE } from './sums'

type Fact = number | bigint | string | boolean | null | undefined
type Converter = NonNullable<Fill['conversion']>

/**
 * The words that a fill was sealed with (docs/proof.md): a line for each fact, prices in their product's last place,
 * lots and money in millionths; what a fill does not have has no line. Null when a number is none.
 */
export function fillText(fill: Fill): string | null {
  const { product } = fill
  const price = (text: string) => exactScaled(text, product.point)
  const money = (text: string) => exactScaled(text, SCALE)
  const facts: [string, Fact][] = [
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
    ['time', fill.time],
    ['market-time', fill.marketTime],
    ['salt', fill.salt],
  ]
  if (facts.some(([, value]) => value === null)) return null
  return facts
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name} ${value}\n`)
    .join('')
}

function productFacts(
  name: string,
  { productId, productNo, base, quote, point }: Converter | Fill['product'],
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
