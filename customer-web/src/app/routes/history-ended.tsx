import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import type { Product } from '@/features/market/api/products'
import { EndedOrders } from '@/features/trading/components/ended-orders'
import filters from '@/features/trading/components/history-filters.module.css'
import { ProductFilter } from '@/features/trading/components/product-filter'
import { dayOf, readFilter } from '@/features/trading/model/history-filter'

export type HistoryEndedProps = { products: readonly Product[] }

/** The orders that ended without a fill, of the product that the address names. */
export function HistoryEnded({ products }: HistoryEndedProps) {
  const { t } = useTranslation()
  const [params, setParams] = useSearchParams()
  const { productId } = readFilter(params, dayOf(Date.now(), 'utc'))
  const pick = (picked: number | undefined) =>
    setParams(
      { tab: 'orders', ...(picked === undefined ? {} : { product: String(picked) }) },
      { replace: true },
    )
  return (
    <>
      <fieldset className={filters.filters}>
        <legend className="visually-hidden">{t('history.filters')}</legend>
        <ProductFilter productId={productId} products={products} onChange={pick} />
      </fieldset>
      <EndedOrders productId={productId} products={products} />
    </>
  )
}
