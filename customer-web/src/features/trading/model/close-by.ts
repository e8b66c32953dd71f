import type { Wire } from '@/api/client'
import type { Product } from '@/features/market/api/products'
import { fromScaled, toScaled } from '@/format/arithmetic'
import { type PartProblem, partProblem, restOf } from './close-part'
import { estimateCommission, estimateProfit, type ReadQuote } from './estimate'

type Position = Wire['Position']

const SCALE = 6

/** The open positions opposite to one: the other side of the same product, oldest first. */
export function oppositePositions(position: Position, all: readonly Position[]): Position[] {
  return all.filter(
    ({ productId, side }) => productId === position.productId && side !== position.side,
  )
}

export type Settlement = {
  /** The lots of the smaller position. */
  lots: string
  /** The profit of the first position; the second closes at its open price. Null while a rate is missing. */
  profit: string | null
  /** The commission of both closings; null while a rate is missing. */
  commission: string | null
  /** The rest of the larger position; null if both close. */
  stays: { position: Position; lots: string } | null
  problem: PartProblem | null
}

/** Settles two opposite positions as the engine does: both close at the open price of the second. */
export function settle(
  product: Product,
  first: Position,
  second: Position,
  read: ReadQuote,
): Settlement {
  const [a, b] = [toScaled(first.lots, SCALE) ?? 0n, toScaled(second.lots, SCALE) ?? 0n]
  const [smaller, larger] = a <= b ? [first, second] : [second, first]
  const { lots } = smaller
  const deal = { side: first.side, lots, open: first.openPrice, close: second.openPrice }
  const fee = estimateCommission(product, { lots, price: second.openPrice }, read)
  return {
    lots,
    profit: estimateProfit(product, deal, read),
    commission: fee === null ? null : fromScaled(2n * (toScaled(fee, SCALE) ?? 0n), SCALE),
    stays: a === b ? null : { position: larger, lots: restOf(lots, larger.lots) },
    problem: partProblem(product, lots, larger.lots),
  }
}
