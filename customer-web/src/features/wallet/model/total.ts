import type { Wire } from '@/api/client'
import { NUMERIC_PRECISION } from '@/constants'
import { fromScaled, toScaled } from '@/format/arithmetic'
import { type Currency, scaleOf } from './currencies'

type Account = Wire['WalletAccount']

/** Decimals of a rate. */
const RATE_SCALE = 12
/** A balance that is worth less is a small one. */
const SMALL_USDT = 1_000_000n

const units = (sum: string | undefined) => toScaled(sum ?? '0', NUMERIC_PRECISION) ?? 0n

/** What everything is worth: the account to trade with as it stands now, and what is kept beside it. */
export function totalOf(equity: string, accounts: readonly Account[]): string {
  const kept = accounts.filter(({ kind }) => kind === 'funding')
  const sum = kept.reduce((all, { valueUsdt }) => all + units(valueUsdt), units(equity))
  return fromScaled(sum, NUMERIC_PRECISION)
}

/** A sum of USDT in another currency, cut to its decimals; null where it has no price. */
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

/** Whether what is kept on an account is worth next to nothing; without a price nobody knows. */
export function isSmall({ balance, valueUsdt }: Account): boolean {
  if (/^[0.]*$/.test(balance)) return true
  return valueUsdt !== undefined && units(valueUsdt) < SMALL_USDT
}
