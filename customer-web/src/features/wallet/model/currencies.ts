import type { Wire } from '@/api/client'
import type { TextKey } from '@/i18n/i18n'

export type Currency = Wire['WalletCurrency']

/** Decimals that amounts of each currency are counted in, in the order to show. */
const scales: Record<Currency, number> = { USDT: 6, USD: 6, BTC: 8, ETH: 8 }

export const currencies = Object.keys(scales) as readonly Currency[]

/** Decimals of a currency; six for one that this version does not know. */
export function scaleOf(currency: string): number {
  return scales[currency as Currency] ?? scales.USDT
}

/** What a currency is called. */
export function nameKey(currency: Currency): TextKey {
  return `wallet.currency.${currency.toLowerCase() as Lowercase<Currency>}`
}
