import type { Wire } from '@/api/client'
import { formatSigned } from '@/format/amount'
import { fromScaled, toScaled } from '@/format/arithmetic'
import { bidiIsolate } from '@/format/bidi-isolate'

const SCALE = 6

/** The profit or loss that closing fills realised, with its sign, to stand in a sentence. */
export function realisedText(fills: readonly Pick<Wire['Fill'], 'entry' | 'profit'>[]): string {
  const closing = fills.filter(({ entry }) => entry === 'close')
  const sum = closing.reduce((total, { profit }) => total + (toScaled(profit, SCALE) ?? 0n), 0n)
  return bidiIsolate(formatSigned(fromScaled(sum, SCALE)))
}
