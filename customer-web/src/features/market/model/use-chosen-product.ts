import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { storage } from '@/storage/storage'
import { hotQuery, type Product, productsQuery } from '../api/products'

export type ChosenProduct = {
  product: Product | undefined
  /** The reason the list failed to load. */
  error: unknown
  /** The address names a product that does not exist. */
  unknown: boolean
  retry: () => void
  choose: (productId: number) => void
}

/**
 * The product of a trade screen: from the address, else the last one, else the most traded one. It is stored for
 * the next visit.
 */
export function useChosenProduct(): ChosenProduct {
  const [params, setParams] = useSearchParams()
  const list = useQuery(productsQuery)
  const hot = useQuery(hotQuery)
  const named = params.get('product')
  const find = (id: string | null | undefined) =>
    list.data?.find((one) => String(one.productId) === id || one.productNo === id)
  const product =
    named !== null
      ? find(named)
      : (find(storage.read('currentProduct')) ??
        find(String(hot.data?.[0] ?? '')) ??
        list.data?.[0])

  useEffect(() => {
    if (product) storage.write('currentProduct', String(product.productId))
  }, [product])

  return {
    product,
    error: list.error,
    unknown: named !== null && list.data !== undefined && product === undefined,
    retry: () => void list.refetch(),
    choose: (productId) => setParams({ product: String(productId) }, { replace: true }),
  }
}
