import { overwrite, refine, string } from 'zod/mini'
import type { Wire } from '@/api/client'
import { DEFAULT_MONEY_LIMIT, NUMERIC_PRECISION } from '@/constants'
import { fromScaled, toScaled } from '@/format/arithmetic'
import { completeNumeric } from '@/format/numeric-input'
import { percentOf } from '@/format/percent'

export type Limits = { min: string; max: string }

/** The currency whose limits apply to deposits. */
const LIMIT_CURRENCY = 'usdt_usdt'

function scaled(value: string): bigint | null {
  return toScaled(value, NUMERIC_PRECISION)
}

/** Minimum and maximum of a channel: the stricter of its own and the currency's limits. */
export function limitsOf(
  channel: Pick<Wire['PayChannel'], 'rechargeMin' | 'rechargeMax'>,
  currencies: readonly Wire['CurrencyConfig'][] | undefined,
): Limits {
  const config = currencies?.find(({ currencyMedium }) => currencyMedium === LIMIT_CURRENCY)
  const min = config?.rechargeMin ?? DEFAULT_MONEY_LIMIT.min
  const max = config?.rechargeMax ?? DEFAULT_MONEY_LIMIT.max
  return {
    min: (scaled(channel.rechargeMin) ?? 0n) > (scaled(min) ?? 0n) ? channel.rechargeMin : min,
    max: (scaled(channel.rechargeMax) ?? 0n) < (scaled(max) ?? 0n) ? channel.rechargeMax : max,
  }
}

/** The rule of an amount, which returns it complete. Its texts name `min` and `max`. */
export function amountSchema({ min, max }: Limits) {
  const value = (amount: string) => scaled(amount) ?? 0n
  return string().check(
    overwrite((typed) => completeNumeric(typed)),
    refine((amount) => value(amount) > 0n, 'deposit.amount.missing'),
    refine((amount) => value(amount) >= value(min), 'deposit.amount.below'),
    refine((amount) => value(amount) <= value(max), 'deposit.amount.above'),
  )
}

/** The amounts to choose from, in the channel's currency. */
const QUICK_AMOUNTS = ['100', '500', '1000']

/** The quick amounts within the limits. */
export function quickAmounts(limits: Limits): string[] {
  const schema = amountSchema(limits)
  return QUICK_AMOUNTS.filter((amount) => schema.safeParse(amount).success)
}

/** Reports whether a fee or its rate is zero. */
export function isZeroFee(value: string): boolean {
  return scaled(value) === 0n
}

export type Sums = { fee: string; net: string; free: boolean }

/** The fee at a rate in percent, and the amount credited. The server charges by the same rule. */
export function sumsOf(amount: string, feeRate: string): Sums {
  const fee = percentOf(amount, feeRate, NUMERIC_PRECISION)
  const net = (scaled(amount) ?? 0n) - (scaled(fee) ?? 0n)
  return { fee, net: fromScaled(net, NUMERIC_PRECISION), free: isZeroFee(feeRate) }
}

/** Reports whether a channel's currency is credited one to one: USD counts as USDT. */
export function isOneToOne(currency: string): boolean {
  return currency === 'USD' || currency === 'USDT'
}
