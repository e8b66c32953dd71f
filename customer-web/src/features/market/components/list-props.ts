import type { Product } from '../api/products'
import type { Sort } from '../model/product-groups'

/** What every list of products is told. */
export type ProductListProps = {
  /** Says what the list holds. */
  label: string
  products: readonly Product[]
  favourites: readonly number[]
  onToggle: (productId: number) => void
  /** Where a press on a product leads; undefined where there is no such screen. */
  linkOf: (productId: number) => string | undefined
}

/** A list whose order the trader chooses. */
export type SortedListProps = ProductListProps & {
  sort: Sort | null
  onSort: (sort: Sort | null) => void
}
