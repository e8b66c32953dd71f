import type { Wire } from '@/api/client'
import { fromScaled, toScaled } from '@/format/arithmetic'

const SCALE = 6

/** What a position was charged so far, negative, or received. Commission is stored as a positive sum. */
export function costsOf(
  position: Pick<Wire['Position'], 'commission' | 'swap' | 'dividends'>,
): string {
  const sum = (value: string) => toScaled(value, SCALE) ?? 0n
  return fromScaled(sum(position.swap) + sum(position.dividends) - sum(position.commission), SCALE)
}
