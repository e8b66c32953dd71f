import type { Wire } from '@/api/client'
import { toScaled } from '@/format/arithmetic'

type Position = Pick<Wire['Position'], 'positionId' | 'productId' | 'profit' | 'lots'>

const SCALE = 6

/**
 * The position that a stop-out would close first: the largest floating loss, then the larger volume, then the
 * older one. Positions whose market is closed are skipped.
 */
export function firstStopOut<T extends Position>(
  positions: readonly T[],
  isOpen: (productId: number) => boolean,
): T | undefined {
  const value = (text: string) => toScaled(text, SCALE) ?? 0n
  const sign = (difference: bigint) => (difference < 0n ? -1 : difference > 0n ? 1 : 0)
  return positions
    .filter(({ productId }) => isOpen(productId))
    .toSorted(
      (a, b) =>
        sign(value(a.profit) - value(b.profit)) ||
        sign(value(b.lots) - value(a.lots)) ||
        a.positionId - b.positionId,
    )[0]
}
