import type { Product } from '../api/products'

/** Maximum number of results; more typing narrows the search. */
const MOST_RESULTS = 50

/** Lower case without accents, so that "uber" finds "Über". */
function plain(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}

/** Symbols are typed as EURUSD, EUR/USD or EUR USD. */
function squeezed(text: string): string {
  return plain(text).replace(/[\s/._-]+/g, '')
}

/**
 * Products whose symbol or name contains the text, best match first: exact symbol, symbol prefix, inside the
 * symbol, start of a word in the name, inside the name. `nameOf` returns the name shown to the trader.
 */
export function searchProducts(
  products: readonly Product[],
  text: string,
  nameOf: (product: Product) => string,
): Product[] {
  if (squeezed(text) === '') return []
  const ranked = products
    .map((product) => ({ product, rank: rankOf(product, text, nameOf(product)) }))
    .filter(({ rank }) => rank < NO_MATCH)
  return ranked
    .sort((a, b) => a.rank - b.rank)
    .slice(0, MOST_RESULTS)
    .map(({ product }) => product)
}

const NO_MATCH = 5

function rankOf({ productNo, productName }: Product, text: string, shownName: string): number {
  const symbol = squeezed(productNo)
  const wanted = squeezed(text)
  if (symbol === wanted) return 0
  if (symbol.startsWith(wanted)) return 1
  if (symbol.includes(wanted)) return 2
  const words = plain(text).trim()
  const names = [plain(shownName), plain(productName)]
  if (names.some((name) => name.startsWith(words) || name.includes(` ${words}`))) return 3
  return names.some((name) => name.includes(words)) ? 4 : NO_MATCH
}
