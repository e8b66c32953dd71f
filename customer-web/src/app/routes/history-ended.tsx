import { useTranslation } from 'react-i18next'
import type { Product } from '@/features/market/api/products'
import { EndedOrders } from '@/features/trading/components/ended-orders'
import { type HistoryFilter, narrowed } from '@/features/trading/model/history-filter'
import { FilterSelect, Filters } from '@/ui/filters'

export type HistoryEndedProps = {
  filter: HistoryFilter
  products: readonly Product[]
  onChange: (filter: HistoryFilter) => void
}

/** The orders that ended without a fill, of one product or of all. */
export function HistoryEnded({ filter, products, onChange }: HistoryEndedProps) {
  const { t } = useTranslation()
  const sorted = products.toSorted((a, b) => a.productNo.localeCompare(b.productNo))
  return (
    <>
      <Filters>
        <FilterSelect
          label={t('trade.product')}
          all={t('history.filter.all_products')}
          value={filter.productId}
          options={sorted.map(({ productId, productNo }) => ({
            value: productId,
            text: productNo,
          }))}
          onPick={(value) => onChange(narrowed(filter, 'productId', value))}
        />
      </Filters>
      <EndedOrders productId={filter.productId} products={products} />
    </>
  )
}
