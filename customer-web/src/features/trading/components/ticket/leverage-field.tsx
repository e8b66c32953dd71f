import { useTranslation } from 'react-i18next'
import type { Product } from '@/features/market/api/products'
import { bidiIsolate } from '@/format/bidi-isolate'
import { useLeverageCaps } from '@/session/info-query'
import { leveragesOf } from '../../model/ticket-store'
import styles from './order-ticket.module.css'

export type LeverageFieldProps = {
  product: Product
  leverage: number
  onChange: (leverage: number) => void
}

/** The product's leverages, and why higher ones are not offered. */
export function LeverageField({ product, leverage, onChange }: LeverageFieldProps) {
  const { t } = useTranslation()
  const caps = useLeverageCaps()
  const list = leveragesOf(product, caps)
  const capped = leveragesOf(product).some((one) => !list.includes(one))
  return (
    <>
      <label className={styles.leverage}>
        <span>{t('trade.leverage')}</span>
        <select
          className={styles.field}
          dir="ltr"
          value={leverage}
          onChange={(event) => onChange(Number(event.target.value))}
        >
          {list
            .toSorted((a, b) => a - b)
            .map((one) => (
              <option key={one} value={one}>
                1:{one}
              </option>
            ))}
        </select>
      </label>
      {capped && (
        <p className={styles.caption}>
          {t('trade.leverage_cap', { most: bidiIsolate(`1:${Math.max(...list)}`) })}
        </p>
      )}
    </>
  )
}
