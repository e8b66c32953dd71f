import type { Wire } from '@/api/client'
import type { Product } from '@/features/market/api/products'
import { fromScaled, toScaled } from '@/format/arithmetic'
import {
  divideHalfAway,
  estimateCommission,
  estimateMargin,
  estimateProfit,
  type ReadQuote,
} from './estimate'
import type { OpenLots, Standing } from './stop-out-price'
import type { Side } from './ticket-store'
import { type MarginLeg, usedMargin } from './used-margin'

const SCALE = 6
const units = (text: string) => toScaled(text, SCALE) ?? 0n

type Position = Wire['Position']

/** An order as it would be filled now. */
export type Deal = { side: Side; lots: string; leverage: number; price: string }

/** What an order does to the only position of its product in a netting account, and what stands after it. */
export type Effect = { does: 'joins' | 'reduces' | 'closes' | 'turns'; side: Side; lots: string }

export function effectOf({ side, lots }: Pick<Deal, 'side' | 'lots'>, held: Position): Effect {
  const ordered = units(lots)
  const had = units(held.lots)
  const write = (value: bigint) => fromScaled(value, SCALE)
  if (side === held.side) return { does: 'joins', side, lots: write(had + ordered) }
  if (ordered === had) return { does: 'closes', side, lots: '0' }
  return ordered < had
    ? { does: 'reduces', side: held.side, lots: write(had - ordered) }
    : { does: 'turns', side, lots: write(ordered - had) }
}

/** A product's positions and how the account stands with them. */
export type Holding = { open: OpenLots[]; legs: MarginLeg[]; standing: Standing }

const legOf = ({ side, lots, leverage, margin }: Position): MarginLeg => ({
  ...{ side, leverage },
  lots: units(lots),
  margin: units(margin),
})

/** A product's positions as they are now. */
export function holdingOf(
  product: Product,
  positions: readonly Position[],
  { netValue, prepaidAmount }: Pick<Wire['Statistics'], 'netValue' | 'prepaidAmount'>,
): Holding {
  const own = positions
    .filter(({ productId }) => productId === product.productId)
    .toSorted((a, b) => a.positionId - b.positionId)
  const floating = own.reduce((sum, { profit }) => sum + units(profit), 0n)
  return {
    open: own,
    legs: own.map(legOf),
    standing: { rest: units(netValue) - floating, used: units(prepaidAmount) },
  }
}

/** The same after an order, in a netting account with the position it meets; null while a price is missing. */
export function holdingAfter(
  product: Product,
  now: Holding,
  deal: Deal,
  held: Position | undefined,
  read: ReadQuote,
): Holding | null {
  const commission = estimateCommission(product, deal, read)
  const kept = held && held.side !== deal.side ? reduced(product, deal, held, read) : now
  if (commission === null || kept === null) return null
  const lots = held && held.side !== deal.side ? beyond(deal.lots, held.lots) : deal.lots
  const leverage = held?.side === deal.side ? held.leverage : deal.leverage
  const margin = estimateMargin(product, { ...deal, lots, leverage }, read)
  if (margin === null) return null
  const opens = units(lots) > 0n
  const legs = opens
    ? [...kept.legs, { side: deal.side, lots: units(lots), leverage, margin: units(margin) }]
    : kept.legs
  const realised = 'realised' in kept ? kept.realised : 0n
  return {
    open: opens ? [...kept.open, { side: deal.side, lots, openPrice: deal.price }] : kept.open,
    legs,
    standing: {
      rest: now.standing.rest + realised - units(commission),
      used: now.standing.used - usedMargin(product, now.legs) + usedMargin(product, legs),
    },
  }
}

function beyond(lots: string, held: string): string {
  const rest = units(lots) - units(held)
  return fromScaled(rest > 0n ? rest : 0n, SCALE)
}

type Reduced = Pick<Holding, 'open' | 'legs'> & { realised: bigint }

/** What an order leaves of the position that it works against, and what the rest of it brings. */
function reduced(product: Product, deal: Deal, held: Position, read: ReadQuote): Reduced | null {
  const left = units(beyond(held.lots, deal.lots))
  const closed = fromScaled(units(held.lots) - left, SCALE)
  const profit = estimateProfit(
    product,
    { side: held.side, lots: closed, open: held.openPrice, close: deal.price },
    read,
  )
  if (profit === null) return null
  const realised = units(profit)
  if (left === 0n) return { open: [], legs: [], realised }
  const { side, openPrice } = held
  const leg = legOf(held)
  return {
    open: [{ side, lots: fromScaled(left, SCALE), openPrice }],
    legs: [{ ...leg, lots: left, margin: divideHalfAway(leg.margin * left, leg.lots) }],
    realised,
  }
}

/** The margin level of a holding in percent at the prices of now; null when no margin is used. */
export function levelOf(
  product: Product,
  { open, standing: { rest, used } }: Holding,
  read: ReadQuote,
): string | null {
  const quote = read(product.productId)
  if (!quote || used <= 0n) return null
  let equity = rest
  for (const { side, lots, openPrice } of open) {
    const close = side === 'buy' ? quote.bid : quote.ask
    const profit = estimateProfit(product, { side, lots, open: openPrice, close }, read)
    if (profit === null) return null
    equity += units(profit)
  }
  return fromScaled((equity * 10_000n) / used, 2)
}
