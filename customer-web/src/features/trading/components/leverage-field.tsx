import { useTranslation } from 'react-i18next'
import type { Product } from '@/features/market/api/products'
import { leveragesOf } from '../model/ticket-store'
import styles from './order-ticket.module.css'

export type LeverageFieldProps = {
  product: Product
  leverage: number
  onChange: (leverage: number) => void
}

/** One of the product's leverages. */
export function LeverageField({ product, leverage, onChange }: LeverageFieldProps) {
  const { t } = useTranslation()
  return (
    <label className={styles.leverage}>
      <span>{t('trade.leverage')}</span>
      <select
        className={styles.field}
        dir="ltr"
        value={leverage}
        onChange={(event) => onChange(Number(event.target.value))}
      >
        {leveragesOf(product)
          .toSorted((a, b) => a - b)
          .map((one) => (
            <option key={one} value={one}>
              1:{one}
            </option>
          ))}
      </select>
    </label>
  )
}
