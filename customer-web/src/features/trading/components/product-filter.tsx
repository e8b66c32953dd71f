import { useTranslation } from 'react-i18next'
import type { Product } from '@/features/market/api/products'

export type ProductFilterProps = {
  productId: number | undefined
  products: readonly Product[]
  onChange: (productId: number | undefined) => void
}

/** One product, or all of them. */
export function ProductFilter({ productId, products, onChange }: ProductFilterProps) {
  const { t } = useTranslation()
  const sorted = products.toSorted((a, b) => a.productNo.localeCompare(b.productNo))
  return (
    <label>
      <span>{t('trade.product')}</span>
      <select
        value={productId ?? ''}
        onChange={({ target }) => onChange(target.value ? Number(target.value) : undefined)}
      >
        <option value="">{t('history.filter.all_products')}</option>
        {sorted.map((product) => (
          <option key={product.productId} value={product.productId}>
            {product.productNo}
          </option>
        ))}
      </select>
    </label>
  )
}
