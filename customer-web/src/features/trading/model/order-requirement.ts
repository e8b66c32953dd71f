import type { Wire } from '@/api/client'
import type { Product } from '@/features/market/api/products'
import { fromScaled, toScaled } from '@/format/arithmetic'
import type { ReadQuote } from './estimate'
import { type Deal, type Exposure, type ExposureAfter, exposureAfter } from './order-effect'

const SCALE = 6
const units = (text: string) => toScaled(text, SCALE) ?? 0n

type Position = Wire['Position']

/** The account as seen by an order: the product's positions, and `held`, the only position in netting mode. */
export type OrderContext = { now: Exposure; held: Position | undefined }

/** What an order requires: the change in used margin, its commission, and what the account lacks for it, if anything. */
export type OrderRequirement = {
  margin: string
  commission: string
  lacks: 'margin' | 'cash' | null
}

/** The engine's requirement for an order at current prices; null while a price is missing. The engine decides. */
export function orderRequirement(
  product: Product,
  { now, held }: OrderContext,
  deal: Deal,
  read: ReadQuote,
): OrderRequirement | null {
  const after = exposureAfter(product, now, deal, held, read)
  if (!after) return null
  return {
    margin: fromScaled(after.account.used - now.account.used, SCALE),
    commission: fromScaled(after.commission, SCALE),
    lacks: roomOf(after) < 0n ? 'margin' : isPaid(after) ? null : 'cash',
  }
}

/** The equity left after covering the margin. An order that only closes is never refused. */
function roomOf({ opens, account: { rest, used }, floating }: ExposureAfter): bigint {
  return opens ? rest + floating - used : 0n
}

/** Reports whether the account's own money covers the commission; promotional money does not count. */
function isPaid({ opens, cash, commission }: ExposureAfter): boolean {
  return !opens || cash >= 0n || commission === 0n
}

/**
 * The largest volume, on the product's step, that the account can carry; "0" if there is none or while a price is
 * missing. Up to equal legs a larger order may need less margin, beyond that it needs more. Both ranges are
 * searched separately, and a smaller order may be refused.
 */
export function maxLots(
  product: Product,
  ground: OrderContext,
  deal: Omit<Deal, 'lots'>,
  read: ReadQuote,
): string {
  const { now, held } = ground
  const min = units(product.lotMin)
  const step = units(product.lotStep) || 1n
  const last = (units(product.lotMax) - min) / step
  const lotsAt = (n: bigint) => fromScaled(min + n * step, SCALE)
  const after = (n: bigint) => exposureAfter(product, now, { ...deal, lots: lotsAt(n) }, held, read)
  if (last < 0n || !after(0n)) return '0'
  const room = (n: bigint) => {
    const one = after(n)
    return one ? roomOf(one) : -1n
  }
  const paid = (n: bigint) => {
    const one = after(n)
    return one !== null && isPaid(one)
  }
  if (!paid(0n)) return '0'
  const payable = paid(last) ? last : boundary(paid, 0n, last)
  const equal = (hedgedBy(now, deal.side) - min) / step
  const bends = [0n, equal, equal + 1n, payable].filter((n) => n >= 0n && n <= payable)
  const found = largest(room, [...new Set(bends)])
  return found === null ? '0' : lotsAt(found).replace(/\.?0+$/, '')
}

/** The lots of one side that equalise the legs; zero or less if that side is already larger. */
function hedgedBy({ legs }: Exposure, side: Deal['side']): bigint {
  return legs.reduce((sum, leg) => (leg.side === side ? sum - leg.lots : sum + leg.lots), 0n)
}

/**
 * The largest step that fits, given that between two of these steps the room has at most one peak; null if none
 * fits.
 */
function largest(room: (n: bigint) => bigint, at: readonly bigint[]): bigint | null {
  const fits = (n: bigint) => room(n) >= 0n
  let above: bigint | undefined
  for (const n of at.toReversed()) {
    if (fits(n)) return above === undefined ? n : boundary(fits, n, above)
    if (above !== undefined) {
      const peak = peakOf(room, n, above)
      if (fits(peak)) return boundary(fits, peak, above)
    }
    above = n
  }
  return null
}

/** The last step for which a condition is true, between one where it is and a later one where it is not. */
function boundary(isSo: (n: bigint) => boolean, so: bigint, not: bigint): bigint {
  let [low, high] = [so, not]
  while (high - low > 1n) {
    const middle = (low + high) / 2n
    if (isSo(middle)) low = middle
    else high = middle
  }
  return low
}

function peakOf(room: (n: bigint) => bigint, from: bigint, to: bigint): bigint {
  let [low, high] = [from, to]
  while (low < high) {
    const middle = (low + high) / 2n
    if (room(middle) < room(middle + 1n)) low = middle + 1n
    else high = middle
  }
  return low
}
