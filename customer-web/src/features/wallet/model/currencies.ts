import type { Wire } from '@/api/client'
import type { TextKey } from '@/i18n/i18n'

export type Currency = Wire['WalletCurrency']

/** Decimals of each currency's amounts, in display order. */
const scales: Record<Currency, number> = { USDT: 6, USD: 6, BTC: 8, ETH: 8 }

export const currencies = Object.keys(scales) as readonly Currency[]

/** Decimals of a currency; six for one unknown to this app version. */
export function scaleOf(currency: string): number {
  return scales[currency as Currency] ?? scales.USDT
}

/** The text key of a currency's name. */
export function nameKey(currency: Currency): TextKey {
  return `wallet.currency.${currency.toLowerCase() as Lowercase<Currency>}`
}
