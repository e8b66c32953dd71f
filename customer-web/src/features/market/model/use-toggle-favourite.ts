import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '@/ui/toast/toast-store'
import { productsQuery } from '../api/products'
import type { Favourites } from './favourites'

/** Returns the handler of a star: adds a product, or removes it and offers to undo. */
export function useToggleFavourite({ ids, add, remove }: Favourites): (productId: number) => void {
  const { t } = useTranslation()
  const client = useQueryClient()
  return useCallback(
    (productId) => {
      if (!ids.includes(productId)) {
        add(productId)
        return
      }
      const undo = remove(productId)
      // Read on press: the product list changes with every ticker, and subscribing would render every row.
      const products = client.getQueryData(productsQuery.queryKey)
      const product = products?.find((one) => one.productId === productId)
      toast.success(t('favourites.removed', { symbol: product?.productNo ?? '' }), {
        action: { label: t('favourites.undo'), onPress: undo },
      })
    },
    [ids, add, remove, client, t],
  )
}
