import { useTranslation } from 'react-i18next'
import type { Wire } from '@/api/client'
import type { Product } from '@/features/market/api/products'
import type { CloseScope } from '../../model/close-all'
import styles from './position-sheets.module.css'

export type CloseScopeFieldsProps = {
  scope: CloseScope
  positions: readonly Wire['Position'][]
  products: readonly Product[]
  disabled: boolean
  onChange: (scope: CloseScope) => void
}

/** The scope of a bulk close: one product or all, one side or both. */
export function CloseScopeFields(props: CloseScopeFieldsProps) {
  const { scope, positions, products, disabled, onChange } = props
  const { t } = useTranslation()
  const { productId, side } = scope
  const held = products.filter(
    (product) =>
      product.productId === productId ||
      positions.some((position) => position.productId === product.productId),
  )
  const pickProduct = (value: string) =>
    onChange({ ...(value ? { productId: Number(value) } : {}), ...(side ? { side } : {}) })
  const pickSide = (value: string) =>
    onChange({
      ...(productId === undefined ? {} : { productId }),
      ...(value === 'buy' || value === 'sell' ? { side: value } : {}),
    })
  return (
    <div className={styles.scope}>
      <label className={styles.input}>
        <span>{t('figure.product')}</span>
        <select
          value={productId ?? ''}
          disabled={disabled}
          onChange={({ target }) => pickProduct(target.value)}
        >
          <option value="">{t('position.close_all.all_products')}</option>
          {held.map((product) => (
            <option key={product.productId} value={product.productId}>
              {product.productNo}
            </option>
          ))}
        </select>
      </label>
      <label className={styles.input}>
        <span>{t('trade.side')}</span>
        <select
          value={side ?? ''}
          disabled={disabled}
          onChange={({ target }) => pickSide(target.value)}
        >
          <option value="">{t('position.close_all.both_sides')}</option>
          <option value="buy">{t('trade.buy')}</option>
          <option value="sell">{t('trade.sell')}</option>
        </select>
      </label>
    </div>
  )
}
