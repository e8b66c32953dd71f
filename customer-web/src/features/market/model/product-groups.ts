import { changePercent, type Product } from '../api/products'
import { pickProducts } from './pick-products'

/** The groups of the quotes page, in order. */
export const productGroups = [
  'favourites',
  'movers',
  'forex',
  'metals',
  'crypto',
  'us_stocks',
  'contracts',
] as const

export type ProductGroup = (typeof productGroups)[number]

/** The group of a product, apart from the favourites and the movers. */
export function groupOf({ type }: Pick<Product, 'type'>): ProductGroup {
  switch (type) {
    case 'forex':
      return 'forex'
    case 'metal':
      return 'metals'
    case 'crypto':
      return 'crypto'
    case 'us_stock':
      return 'us_stocks'
    case 'index':
    case 'contract':
      return 'contracts'
  }
}

/** How many products the movers have. */
const MOVERS = 20

/** The products that moved most in 24 hours, from the largest gain to the largest loss. */
export function moversOf(products: readonly Product[], most = MOVERS): Product[] {
  const moved = products.filter((product) => dayChange(product) !== 0)
  const largest = moved.sort((a, b) => Math.abs(dayChange(b)) - Math.abs(dayChange(a)))
  return largest.slice(0, most).sort((a, b) => dayChange(b) - dayChange(a))
}

/** The products of a group; favourites and movers keep their own order. */
export function inGroup(
  group: ProductGroup,
  products: readonly Product[],
  favourites: readonly number[],
): Product[] {
  if (group === 'favourites') return pickProducts(products, favourites)
  if (group === 'movers') return moversOf(products)
  return products.filter((product) => groupOf(product) === group)
}

export type SortKey = 'symbol' | 'change'
/** The sort order as written in the address; a minus sign means descending. */
export type Sort = SortKey | `-${SortKey}`

const sorts: readonly string[] = ['symbol', '-symbol', 'change', '-change'] satisfies Sort[]

/** Parses the sort order of an address; null for the default order. */
export function toSort(text: string | null): Sort | null {
  return text !== null && sorts.includes(text) ? (text as Sort) : null
}

/** The next sort order when a column header is pressed: the column's default, reversed, none. */
export function nextSort(now: Sort | null, key: SortKey): Sort | null {
  const first: Sort = key === 'symbol' ? 'symbol' : '-change'
  const second: Sort = key === 'symbol' ? '-symbol' : 'change'
  if (now === first) return second
  return now === second ? null : first
}

export function sortProducts(products: readonly Product[], sort: Sort | null): Product[] {
  const list = [...products]
  if (sort === null) return list
  const way = sort.startsWith('-') ? -1 : 1
  if (sort.endsWith('symbol')) {
    return list.sort((a, b) => way * (a.productNo < b.productNo ? -1 : 1))
  }
  const change = new Map(list.map((product) => [product, dayChange(product)]))
  return list.sort((a, b) => way * ((change.get(a) ?? 0) - (change.get(b) ?? 0)))
}

/** The tickers' change over 24 hours. Only used for sorting: rows compute it from the current price. */
function dayChange({ open24Hours, close24Hours }: Product): number {
  return Number(changePercent(open24Hours, close24Hours))
}
