import type { Wire } from '@/api/client'
import { formatAmount } from '@/format/amount'
import { divideHalfAway, fromScaled, toScaled } from '@/format/arithmetic'

/** Decimals of a rate. */
const RATE_SCALE = 12
const ONE = 10n ** BigInt(RATE_SCALE)
/** Rates from here on are shown in cents. */
const LARGE = 100n * ONE
const CENTS = 2
const FINE = 6

/** A rate the readable way round, for one unit of the more valuable currency: 1 BTC = 92,514.36 USDT. */
export function rateText({ from, to, rate }: Pick<Wire['ExchangeDone'], 'from' | 'to' | 'rate'>) {
  const per = toScaled(rate, RATE_SCALE) ?? 0n
  const turned = per > 0n && per < ONE
  const value = turned ? divideHalfAway(ONE * ONE, per) : per
  const places = value >= LARGE ? CENTS : FINE
  const unit = 10n ** BigInt(RATE_SCALE - places)
  const shown = formatAmount(fromScaled(divideHalfAway(value, unit), places))
  return turned ? `1 ${to} = ${shown} ${from}` : `1 ${from} = ${shown} ${to}`
}
