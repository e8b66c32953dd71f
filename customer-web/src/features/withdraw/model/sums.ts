import type { Wire } from '@/api/client'
import { NUMERIC_PRECISION } from '@/constants'
import { fromScaled, toScaled } from '@/format/arithmetic'
import { percentOf } from '@/format/percent'

type Terms = Wire['WithdrawTerms']

/** The cost of a withdrawal method: a percentage of the amount, and a fixed sum. */
export type Cost = Pick<Terms, 'feeRate'> & Pick<Wire['WithdrawWay'], 'kind' | 'fee'>

const CENTS = 2
const CENT = 10_000n

function scaled(value: string): bigint {
  return toScaled(value, NUMERIC_PRECISION) ?? 0n
}

function text(value: bigint): string {
  return fromScaled(value, NUMERIC_PRECISION)
}

/**
 * The fee of a withdrawal: a percentage of the amount, rounded up, plus the method's fixed sum. A bank transfers whole
 * cents, so there the fee takes what is below one. The server charges by the same rule.
 */
export function feeOf(amount: string, { kind, feeRate, fee }: Cost) {
  const charged = scaled(percentOf(amount, feeRate, NUMERIC_PRECISION)) + scaled(fee)
  const net = scaled(amount) - charged
  return text(kind === 'standard' || net <= 0n ? charged : charged + (net % CENT))
}

/** The amount the payee receives; null if the fee consumes all of it. */
export function netOf(amount: string, cost: Cost): string | null {
  const net = scaled(amount) - scaled(feeOf(amount, cost))
  return net > 0n ? text(net) : null
}

/** The maximum that can be requested now. */
export function maxWithdrawal({ available, maximum, dayLeft, monthLeft }: Terms): string {
  const bounds = [available, maximum, dayLeft, monthLeft].map(scaled)
  return text(bounds.sort((one, other) => (one < other ? -1 : 1))[0] ?? 0n)
}

/** A sum without what is below a cent, as it is shown: "12.509" becomes "12.5". */
export function wholeCents(sum: string): string {
  const cents = fromScaled(scaled(sum) / CENT, CENTS)
  return cents.replace(/\.?0+$/, '')
}

/** The part of the balance that open positions need. */
export function neededByPositions({ balance, available }: Terms): string {
  const needed = scaled(balance) - scaled(available)
  return text(needed > 0n ? needed : 0n)
}

export function isZeroSum(value: string): boolean {
  return scaled(value) === 0n
}

export type AmountProblem = 'missing' | 'below' | 'above' | 'available' | 'day' | 'month' | 'fee'

/** The problem with an amount; null if it is valid. */
export function amountProblem(amount: string, terms: Terms, cost: Cost): AmountProblem | null {
  const value = scaled(amount)
  if (value === 0n) return 'missing'
  if (value < scaled(terms.minimum)) return 'below'
  if (value > scaled(terms.available)) return 'available'
  if (value > scaled(terms.maximum)) return 'above'
  if (value > scaled(terms.dayLeft)) return 'day'
  if (value > scaled(terms.monthLeft)) return 'month'
  return netOf(amount, cost) === null ? 'fee' : null
}

/** The limit stated in the problem's text. */
export function limitOf(problem: AmountProblem | null, terms: Terms): string {
  switch (problem) {
    case 'available':
      return terms.available
    case 'above':
      return terms.maximum
    case 'day':
      return terms.dayLeft
    case 'month':
      return terms.monthLeft
    default:
      return maxWithdrawal(terms)
  }
}

export type Obstacle = 'unverified' | 'held' | 'password' | 'empty' | 'limit'

/** All that stands in the way of a withdrawal, so that the trader sees it at once. */
export function obstaclesOf(terms: Terms, passwordSet: boolean | undefined): Obstacle[] {
  const found: Obstacle[] = []
  const minimum = scaled(terms.minimum)
  if (!terms.verified) found.push('unverified')
  if (terms.heldUntil !== undefined) found.push('held')
  if (passwordSet === false) found.push('password')
  if (scaled(terms.available) < minimum || isZeroSum(terms.available)) found.push('empty')
  else if (terms.verified && scaled(maxWithdrawal(terms)) < minimum) found.push('limit')
  return found
}
