import { divideHalfAway, toScaled } from '@/format/arithmetic'
import type { Product } from '../api/products'

const SCALE = 6

/** A position's input to the margin calculation, in 10^-6; `margin` is for all its lots at its own leverage. */
export type MarginLeg = { side: 'buy' | 'sell'; lots: bigint; leverage: number; margin: bigint }

type MarginTerms = Pick<Product, 'tiers' | 'hedgedRatio'>

/**
 * The used margin of one product's positions, in opening order: each slice of the volume at its tier's or its
 * position's leverage, whichever requires more; hedged lots then count with the product's ratio.
 */
export function usedMargin(terms: MarginTerms, legs: readonly MarginLeg[]): bigint {
  let full = 0n
  const lots = { buy: 0n, sell: 0n }
  for (const leg of legs) {
    full += tiered(terms.tiers, lots.buy + lots.sell, leg)
    lots[leg.side] += leg.lots
  }
  const paired = lots.buy < lots.sell ? lots.buy : lots.sell
  if (paired === 0n) return full
  const all = lots.buy + lots.sell
  const ratio = toScaled(terms.hedgedRatio, 4) ?? 0n
  const weighted = (all - 2n * paired) * 10_000n + 2n * ratio * paired
  return divideHalfAway(full * weighted, all * 10_000n)
}

function tiered(tiers: MarginTerms['tiers'], behind: bigint, leg: MarginLeg): bigint {
  if (tiers.length === 0) return leg.margin
  const end = behind + leg.lots
  let from = behind
  let total = 0n
  for (const { upTo, leverage } of tiers) {
    const last = upTo === undefined ? end : (toScaled(upTo, SCALE) ?? 0n)
    if (from >= end || last <= from) continue
    const slice = (last < end ? last : end) - from
    from += slice
    const own = BigInt(Math.max(leg.leverage, leverage))
    total += divideHalfAway(leg.margin * slice * own, leg.lots * BigInt(leverage))
  }
  return total
}
