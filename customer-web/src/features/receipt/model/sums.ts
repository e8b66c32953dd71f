/**
 * The engine's sums, to the last place (app/trading/sums.go): money and lots are whole numbers of a
 * millionth, prices of their product's last place, and each sum is rounded once.
 */

/** Decimals of money and lots. */
export const SCALE = 6
const UNIT = 10n ** BigInt(SCALE)

export type Rounding = 'half_away' | 'up'

/** A fraction that converts a currency into the account's. */
export type Rate = { multiply: bigint; divide: bigint }

export const ONE: Rate = { multiply: 1n, divide: 1n }

/** A rate from twice a price, so that the middle of bid and ask stays a whole number. */
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

/** (close × lots − what the lots were opened for) × contract, sign reversed for a sell, converted. */
export function profitOf(
  { contractSize, point, lots, rate }: SumTerms,
  side: 'buy' | 'sell',
  opened: bigint,
  close: bigint,
): bigint {
  const move = side === 'buy' ? close * lots - opened : opened - close * lots
  return ratio('half_away', [move, contractSize, rate.multiply], [pow10(point), rate.divide])
}

/** The price at which lots are worth so much. */
export function meanOf(worth: bigint, lots: bigint): bigint {
  return ratio('half_away', [worth], [lots])
}

/** Forex: lots × contract ÷ leverage in the base currency; others: times the price, in the quote's. */
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

/** Per lot, and basis points of the worth with a minimum; always rounded up. */
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
 * What holding lots over nights brings or costs. The rate counts points of the price, the account's money,
 * or percent of the worth a year of 360 days; null in a unit that there is not.
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

/** What lots receive, or pay when they were sold, when one unit of the product pays an amount. */
export function dividendOf(
  { contractSize, lots, rate: { multiply, divide } }: SumTerms,
  side: 'buy' | 'sell',
  amount: bigint,
): bigint {
  const paid = side === 'buy' ? amount : -amount
  return ratio('half_away', [paid, lots, contractSize, multiply], [UNIT, divide])
}

/** What closing some of the lots releases of a whole; the last part takes the rest. */
export function partOf(whole: bigint, lots: bigint, of: bigint): bigint {
  return lots === of ? whole : ratio('half_away', [whole, lots], [of])
}

/**
 * Whether equity has fallen to a percentage of the used margin, as the engine compares them. Positions
 * that use no margin, as equal legs may, last as long as there is equity.
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
