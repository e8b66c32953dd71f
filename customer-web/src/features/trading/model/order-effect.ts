import type { Wire } from '@/api/client'
import type { Product } from '@/features/market/api/products'
import { type MarginLeg, usedMargin } from '@/features/market/model/used-margin'
import { divideHalfAway, fromScaled, toScaled } from '@/format/arithmetic'
import { marginLevel } from '@/format/margin-level'
import { estimateCommission, estimateMargin, estimateProfit, type ReadQuote } from './estimate'
import type { AccountMargin, OpenLots } from './stop-out-price'
import type { Side } from './ticket-store'

const SCALE = 6
const units = (text: string) => toScaled(text, SCALE) ?? 0n

type Position = Wire['Position']

/** An order as if filled now. */
export type Deal = { side: Side; lots: string; leverage: number; price: string }

/** The effect of an order on the position in netting mode, and the resulting position. */
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

/** A product's positions and the account's margin with them. */
export type Exposure = {
  open: OpenLots[]
  legs: MarginLeg[]
  account: AccountMargin
  /** The floating profit of the positions at current prices, in 10^-6. */
  floating: bigint
  /** The account's own money, in 10^-6; it pays commissions. */
  cash: bigint
}

const legOf = ({ side, lots, leverage, margin }: Position): MarginLeg => ({
  ...{ side, leverage },
  lots: units(lots),
  margin: units(margin),
})

/** A product's current positions. */
export function exposureOf(
  product: Product,
  positions: readonly Position[],
  {
    netValue,
    prepaidAmount,
    balance,
  }: Pick<Wire['Statistics'], 'netValue' | 'prepaidAmount' | 'balance'>,
): Exposure {
  const own = positions
    .filter(({ productId }) => productId === product.productId)
    .toSorted((a, b) => a.positionId - b.positionId)
  const floating = own.reduce((sum, { profit }) => sum + units(profit), 0n)
  return {
    open: own,
    legs: own.map(legOf),
    account: { rest: units(netValue) - floating, used: units(prepaidAmount) },
    floating,
    cash: units(balance),
  }
}

/** The exposure after an order: the commission of its fills, and whether one of them opens a position. */
export type ExposureAfter = Exposure & { commission: bigint; opens: boolean }

/**
 * The exposure after an order, given the position in netting mode; null while a price is missing. `floating`
 * excludes the profit of the order itself, which starts with the fill.
 */
export function exposureAfter(
  product: Product,
  now: Exposure,
  deal: Deal,
  held: Position | undefined,
  read: ReadQuote,
): ExposureAfter | null {
  const against = held && held.side !== deal.side ? held : undefined
  const kept = against ? reduced(product, deal, against, read) : { ...now, realised: 0n }
  if (kept === null) return null
  const lots = against ? beyond(deal.lots, against.lots) : deal.lots
  const leverage = held && !against ? held.leverage : deal.leverage
  const margin = estimateMargin(product, { ...deal, lots, leverage }, read)
  const commission = costOf(product, deal, against, read)
  if (margin === null || commission === null) return null
  const opens = units(lots) > 0n
  const leg = { side: deal.side, lots: units(lots), leverage, margin: units(margin) }
  const legs = opens ? withLeg(kept.legs, leg, held !== undefined && !against) : kept.legs
  return {
    open: opens ? [...kept.open, { side: deal.side, lots, openPrice: deal.price }] : kept.open,
    legs,
    account: {
      rest: now.account.rest + kept.realised - commission,
      used: now.account.used - usedMargin(product, now.legs) + usedMargin(product, legs),
    },
    floating: kept.floating,
    cash: now.cash + kept.realised - commission,
    commission,
    opens,
  }
}

/** The commission of an order's fills; a closing and an opening fill are charged separately. */
function costOf(
  product: Product,
  { lots, price }: Deal,
  against: Position | undefined,
  read: ReadQuote,
): bigint | null {
  const rest = against ? beyond(lots, against.lots) : '0'
  const first = fromScaled(units(lots) - units(rest), SCALE)
  let sum = 0n
  for (const part of units(rest) > 0n ? [first, rest] : [lots]) {
    const fee = estimateCommission(product, { lots: part, price }, read)
    if (fee === null) return null
    sum += units(fee)
  }
  return sum
}

/** Adds a leg, or in netting mode adds its volume to the last leg. */
function withLeg(legs: readonly MarginLeg[], leg: MarginLeg, joins: boolean): MarginLeg[] {
  const last = legs.at(-1)
  if (!joins || !last) return [...legs, leg]
  const { lots, margin } = last
  return [...legs.slice(0, -1), { ...leg, lots: lots + leg.lots, margin: margin + leg.margin }]
}

function beyond(lots: string, held: string): string {
  const rest = units(lots) - units(held)
  return fromScaled(rest > 0n ? rest : 0n, SCALE)
}

type Reduced = Pick<Exposure, 'open' | 'legs' | 'floating'> & { realised: bigint }

/** What an opposite order leaves of a position, and the profit it realises. */
function reduced(product: Product, deal: Deal, held: Position, read: ReadQuote): Reduced | null {
  const left = units(beyond(held.lots, deal.lots))
  const had = units(held.lots)
  const closed = had - left
  // The server's profit is exact while the mean price is not, so only the change since the server's price is
  // computed here.
  const told = held.price !== undefined
  const more = estimateProfit(
    product,
    {
      ...{ side: held.side, lots: fromScaled(closed, SCALE) },
      ...{ open: held.price ?? held.openPrice, close: deal.price },
    },
    read,
  )
  if (more === null) return null
  const share = (sum: bigint) => divideHalfAway(sum * closed, had)
  const profit = units(held.profit)
  const realised = (told ? share(profit) : 0n) + units(more)
  if (left === 0n) return { open: [], legs: [], floating: 0n, realised }
  const { side, openPrice } = held
  const leg = legOf(held)
  return {
    open: [{ side, lots: fromScaled(left, SCALE), openPrice }],
    legs: [{ ...leg, lots: left, margin: leg.margin - share(leg.margin) }],
    floating: profit - share(profit),
    realised,
  }
}

/** The lots of an order that hedge what is open on the other side; null if none. */
export function hedgedLots(
  { legs }: Pick<Exposure, 'legs'>,
  { side, lots }: Pick<Deal, 'side' | 'lots'>,
): string | null {
  const open = legs.reduce((sum, leg) => (leg.side === side ? sum - leg.lots : sum + leg.lots), 0n)
  const ordered = units(lots)
  const hedged = ordered - open > 0n ? open : ordered
  return hedged > 0n ? fromScaled(hedged, SCALE) : null
}

/** The margin level of an exposure in percent at current prices; null if no margin is used. */
export function marginLevelOf(
  product: Product,
  { open, account: { rest, used } }: Pick<Exposure, 'open' | 'account'>,
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
  return marginLevel(equity, used)
}
