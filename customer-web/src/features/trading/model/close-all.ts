import type { Wire } from '@/api/client'
import { fromScaled, toScaled } from '@/format/arithmetic'

const SCALE = 6

/** The scope of a bulk close; absent fields don't filter. */
export type CloseScope = Wire['CloseAllPositions']

/** The positions in a scope. */
export function inScope<T extends Pick<Wire['Position'], 'productId' | 'side'>>(
  positions: readonly T[],
  { productId, side }: CloseScope,
): T[] {
  return positions.filter(
    (one) =>
      (productId === undefined || one.productId === productId) &&
      (side === undefined || one.side === side),
  )
}

/** The total profit of positions as a plain decimal. */
export function profitOf(positions: readonly Pick<Wire['Position'], 'profit'>[]): string {
  return fromScaled(
    positions.reduce((sum, { profit }) => sum + (toScaled(profit, SCALE) ?? 0n), 0n),
    SCALE,
  )
}
