/**
 * The engine's sums with integer arithmetic (app/trading/sums.go): money and lots in millionths, prices in the
 * product's last decimal, each sum rounded once.
 */

/** Decimals of money and lots. */
export const SCALE = 6
const UNIT = 10n ** BigInt(SCALE)

export type Rounding = 'half_away' | 'up'

/** A fraction that converts a currency into the account's. */
export type Rate = { multiply: bigint; divide: bigint }

export const ONE: Rate = { multiply: 1n, divide: 1n }

/** A rate from twice a price, which keeps the mid price an integer. */
export function rateFrom(doubled: bigint, point: number, inverse: boolean): Rate {
  const unit = 2n * pow10(point)
  return inverse ? { multiply: unit, divide: doubled } : { multiply: doubled, divide: unit }
}

export type SumTerms = {
  contractSize: bigint
  point: number
  lots: bigint
  rate: Rate
}

/** (close × lots − open value) × contract size, negated for a sell, converted. */
export function profitOf(
  { contractSize, point, lots, rate }: SumTerms,
  side: 'buy' | 'sell',
  opened: bigint,
  close: bigint,
): bigint {
  const move = side === 'buy' ? close * lots - opened : opened - close * lots
  return ratio('half_away', [move, contractSize, rate.multiply], [pow10(point), rate.divide])
}

/** The price at which lots have a given open value. */
export function meanOf(worth: bigint, lots: bigint): bigint {
  return ratio('half_away', [worth], [lots])
}

/** Forex: lots × contract size ÷ leverage in the base currency; others: times the price, in the quote currency. */
export function marginOf(
  { contractSize, point, lots, rate }: SumTerms,
  model: string,
  price: bigint,
  leverage: bigint,
): bigint {
  return model === 'forex'
    ? ratio('half_away', [lots, contractSize, rate.multiply], [leverage, rate.divide])
    : ratio(
        'half_away',
        [lots, contractSize, price, rate.multiply],
        [leverage, pow10(point), rate.divide],
      )
}

export type CommissionTerms = { perLot: bigint; bps: bigint; min: bigint }

/** Per lot, plus basis points of the value with a minimum; always rounded up. */
export function commissionOf(
  { contractSize, point, lots, rate }: SumTerms,
  price: bigint,
  { perLot, bps, min }: CommissionTerms,
): { fee: bigint; minimumApplied: boolean } {
  const byLot = ratio('up', [lots, perLot], [UNIT])
  if (bps === 0n) return { fee: byLot, minimumApplied: false }
  const share = ratio(
    'up',
    [lots, contractSize, price, rate.multiply, bps],
    [pow10(point), rate.divide, 10_000n],
  )
  return { fee: byLot + (share > min ? share : min), minimumApplied: share < min }
}

/**
 * The swap for lots left open over nights. The rate is in points, in the account's currency, or in percent of the
 * value per year of 360 days, by model; null for an unknown model.
 */
export function swapOf(
  { contractSize, point, lots, rate: { multiply, divide } }: SumTerms,
  model: string | undefined,
  rate: bigint,
  nights: bigint,
  price: bigint,
): bigint | null {
  const held = [rate, lots, nights]
  switch (model) {
    case 'points':
      return ratio('half_away', [...held, contractSize, multiply], [UNIT, pow10(point), divide])
    case 'money':
      return ratio('half_away', held, [UNIT])
    case 'percent':
      return ratio(
        'half_away',
        [...held, price, contractSize, multiply],
        [UNIT * 100n * 360n, pow10(point), divide],
      )
    default:
      return null
  }
}

/** The dividend that bought lots receive and sold lots pay, per unit of the product. */
export function dividendOf(
  { contractSize, lots, rate: { multiply, divide } }: SumTerms,
  side: 'buy' | 'sell',
  amount: bigint,
): bigint {
  const paid = side === 'buy' ? amount : -amount
  return ratio('half_away', [paid, lots, contractSize, multiply], [UNIT, divide])
}

/** The share that closing some of the lots releases; the last part gets the remainder. */
export function partOf(whole: bigint, lots: bigint, of: bigint): bigint {
  return lots === of ? whole : ratio('half_away', [whole, lots], [of])
}

/**
 * Reports whether equity is at or below a percentage of the used margin, compared as in the engine. Without used
 * margin, as with equal hedged legs, equity at or below zero counts.
 */
export function isAtOrBelowLevel(equity: bigint, used: bigint, percent: bigint): boolean {
  return used === 0n ? equity <= 0n : equity <= (used * percent) / 100n
}

function ratio(rounding: Rounding, numerators: bigint[], denominators: bigint[]): bigint {
  const above = product(numerators)
  const below = product(denominators)
  const negative = above < 0n !== below < 0n
  const [n, d] = [magnitude(above), magnitude(below)]
  const rounded = rounding === 'up' ? (n + d - 1n) / d : (2n * n + d) / (2n * d)
  return negative ? -rounded : rounded
}

function product(factors: readonly bigint[]): bigint {
  return factors.reduce((all, one) => all * one, 1n)
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value
}

export function pow10(exponent: number): bigint {
  return 10n ** BigInt(exponent)
}
