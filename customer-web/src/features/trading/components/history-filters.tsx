import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { Product } from '@/features/market/api/products'
import { dayIn, type HistoryFilter, MOST_DAYS, withFrom, withTo } from '../model/history-filter'
import styles from './history-filters.module.css'
import { ProductFilter } from './product-filter'

export type HistoryFiltersProps = {
  filter: HistoryFilter
  today: string
  products: readonly Product[]
  onChange: (filter: HistoryFilter) => void
}

/** Product, side, and the days in which positions were closed. */
export function HistoryFilters({ filter, today, products, onChange }: HistoryFiltersProps) {
  const { t } = useTranslation()
  const hintId = useId()
  const { productId, side, ...days } = filter
  const pickProduct = (picked: number | undefined) =>
    onChange({
      ...days,
      ...(side ? { side } : {}),
      ...(picked === undefined ? {} : { productId: picked }),
    })
  const pickSide = (value: string) =>
    onChange({
      ...days,
      ...(productId === undefined ? {} : { productId }),
      ...(value === 'buy' || value === 'sell' ? { side: value } : {}),
    })
  return (
    <fieldset className={styles.filters}>
      <legend className="visually-hidden">{t('history.filters')}</legend>
      <ProductFilter productId={productId} products={products} onChange={pickProduct} />
      <label>
        <span>{t('trade.side')}</span>
        <select value={side ?? ''} onChange={(event) => pickSide(event.target.value)}>
          <option value="">{t('history.filter.both_sides')}</option>
          <option value="buy">{t('trade.buy')}</option>
          <option value="sell">{t('trade.sell')}</option>
        </select>
      </label>
      <label>
        <span>{t('history.filter.from')}</span>
        <input
          type="date"
          value={filter.from}
          max={today}
          aria-describedby={hintId}
          onChange={(event) => {
            const day = dayIn(event.target.value)
            if (day && day <= today) onChange(withFrom(filter, day, today))
          }}
        />
      </label>
      <label>
        <span>{t('history.filter.to')}</span>
        <input
          type="date"
          value={filter.to}
          max={today}
          aria-describedby={hintId}
          onChange={(event) => {
            const day = dayIn(event.target.value)
            if (day && day <= today) onChange(withTo(filter, day))
          }}
        />
      </label>
      <p id={hintId} className={styles.hint}>
        {t('history.filter.most', { days: MOST_DAYS })}
      </p>
    </fieldset>
  )
}
