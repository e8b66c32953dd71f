import type { Product } from '../api/products'

/** How many products stand in a list that its owner has not changed yet. */
export const PRESET_COUNT = 8

const usual = ['EURUSD', 'XAUUSD', 'BTCUSD', 'GBPUSD', 'USDJPY', 'ETHUSD', 'US500', 'AAPL']

/** What is traded first in a country, before the usual ones. */
const local: Record<string, readonly string[]> = {
  AE: ['XAUUSD', 'XAGUSD', 'BTCUSD'],
  AU: ['AUDUSD', 'AUDJPY', 'XAUUSD'],
  CA: ['USDCAD', 'US500'],
  CH: ['EURCHF', 'USDCHF', 'EURUSD'],
  CN: ['XAUUSD', 'HK50', 'BTCUSD'],
  GB: ['GBPUSD', 'EURGBP', 'GBPJPY'],
  HK: ['HK50', 'USDHKD', 'XAUUSD'],
  JP: ['USDJPY', 'EURJPY', 'GBPJPY'],
  NZ: ['NZDUSD', 'AUDUSD'],
  US: ['US500', 'AAPL', 'NVDA', 'TSLA'],
}

/** The country whose products a language suggests where the browser names no country. */
const countryOf: Record<string, string> = { ar: 'AE', zh: 'CN', ja: 'JP' }

/** The first favourites of a country or language: the ids of products that exist, at most eight. */
export function presetFavourites(
  products: readonly Pick<Product, 'productId' | 'productNo'>[],
  region: string | null,
  language: string,
): number[] {
  const country = region ?? countryOf[language.split(/[-_]/)[0] ?? ''] ?? ''
  const symbols = [...new Set([...(local[country] ?? []), ...usual])]
  const idOf = new Map(products.map(({ productId, productNo }) => [productNo, productId]))
  return symbols.flatMap((symbol) => idOf.get(symbol) ?? []).slice(0, PRESET_COUNT)
}
