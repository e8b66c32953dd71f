import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { productsQuery } from '@/features/market/api/products'
import { productPath } from '@/features/market/model/product-path'
import { Button } from '@/ui/button'
import { Sheet } from '@/ui/sheet/sheet'
import { ProductTerms } from './product-terms'

export type TermsSheetProps = {
  productId: number
  onClose: () => void
}

/** The trading terms of a product. */
export function TermsSheet({ productId, onClose }: TermsSheetProps) {
  const { t } = useTranslation()
  // Terms may have changed since the list was fetched.
  const { data } = useQuery({ ...productsQuery, staleTime: 0 })
  const product = data?.find((one) => one.productId === productId)
  if (!product) return null
  return (
    <Sheet
      open
      width={520}
      onClose={onClose}
      title={t('terms.title', { symbol: product.productNo })}
      footer={
        <Button block to={productPath(productId)}>
          {t('product.open', { symbol: product.productNo })}
        </Button>
      }
    >
      <ProductTerms product={product} />
    </Sheet>
  )
}
