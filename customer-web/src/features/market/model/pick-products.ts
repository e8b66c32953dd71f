import type { Product } from '../api/products'

/** The products with these ids, in the order of the ids. */
export function pickProducts(products: readonly Product[], ids: readonly number[]): Product[] {
  const byId = new Map(products.map((product) => [product.productId, product]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}
