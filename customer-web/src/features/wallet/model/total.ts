import type { Wire } from '@/api/client'
import { NUMERIC_PRECISION } from '@/constants'
import { fromScaled, toScaled } from '@/format/arithmetic'
import { type Currency, scaleOf } from './currencies'

type Account = Wire['WalletAccount']

/** Decimals of a rate. */
const RATE_SCALE = 12
/** Balances worth less are small. */
const SMALL_USDT = 1_000_000n

const units = (sum: string | undefined) => toScaled(sum ?? '0', NUMERIC_PRECISION) ?? 0n

/** The total value: the equity of the trading account in use, which is the first, and the other accounts. */
export function totalOf(equity: string, accounts: readonly Account[]): string {
  const inUse = accounts.find(({ kind }) => kind === 'contract')
  const others = accounts.filter((one) => one !== inUse)
  const sum = others.reduce((all, { valueUsdt }) => all + units(valueUsdt), units(equity))
  return fromScaled(sum, NUMERIC_PRECISION)
}

/** A USDT amount in another currency, truncated to its decimals; null without a price. */
export function totalIn(
  currency: Currency,
  total: string,
  totals: readonly Wire['WalletTotal'][],
): string | null {
  const rate = totals.find((one) => one.currency === currency)
  const per = rate && toScaled(rate.perUsdt, RATE_SCALE)
  if (!per) return null
  const scale = scaleOf(currency)
  const places = BigInt(NUMERIC_PRECISION + RATE_SCALE - scale)
  return fromScaled((units(total) * per) / 10n ** places, scale)
}

export function isNothing(amount: string): boolean {
  return /^[0.]*$/.test(amount)
}

/** Reports whether an account's balance is worth next to nothing; false without a price. */
export function isSmall({ balance, valueUsdt }: Account): boolean {
  if (isNothing(balance)) return true
  return valueUsdt !== undefined && units(valueUsdt) < SMALL_USDT
}
