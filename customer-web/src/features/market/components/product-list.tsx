import { useDayLines } from '../api/day-lines'
import type { Product } from '../api/products'
import { useStatuses } from '../model/use-statuses'
import type { ProductListProps } from './list-props'
import { ProductRow } from './product-row'

export type ProductRowsProps = Omit<ProductListProps, 'onToggle'> & {
  /** Shows a star in each row. */
  onToggle?: (productId: number) => void
  onOpen?: (product: Product) => void
}

/** A list of products, each with its price. */
export function ProductList(props: ProductRowsProps) {
  const { label, products, favourites, onToggle, linkOf, onOpen } = props
  const statuses = useStatuses()
  const lines = useDayLines(products.map(({ productId }) => productId))
  return (
    <ul aria-label={label}>
      {products.map((product) => (
        <ProductRow
          key={product.productId}
          product={product}
          status={statuses.get(product.productId)}
          line={lines.get(product.productId)}
          to={linkOf(product.productId)}
          favourite={favourites.includes(product.productId)}
          onToggle={onToggle}
          onOpen={onOpen}
        />
      ))}
    </ul>
  )
}
