import type { Product } from '../api/products'
import type { Sort } from '../model/product-groups'

/** Props of every product list. */
export type ProductListProps = {
  /** The accessible name of the list. */
  label: string
  products: readonly Product[]
  favourites: readonly number[]
  onToggle: (productId: number) => void
  /** The path that a press on a product opens; undefined if the screen doesn't exist. */
  linkOf: (productId: number) => string | undefined
}

/** A list that the trader can sort. */
export type SortedListProps = ProductListProps & {
  /** The product shown beside the list. */
  chosen?: number | undefined
  sort: Sort | null
  onSort: (sort: Sort | null) => void
}
