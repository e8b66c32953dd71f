import { useTranslation } from 'react-i18next'
import type { Wire } from '@/api/client'
import type { Product } from '@/features/market/api/products'
import { SelectField } from '@/ui/form/select-field'
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
  return (
    <div className={styles.scope}>
      <SelectField<number | ''>
        label={t('figure.product')}
        value={productId ?? ''}
        disabled={disabled}
        options={[
          { value: '', text: t('position.close_all.all_products') },
          ...held.map((one) => ({ value: one.productId, text: one.productNo })),
        ]}
        onPick={(picked) =>
          onChange({ ...(picked ? { productId: picked } : {}), ...(side ? { side } : {}) })
        }
      />
      <SelectField<'buy' | 'sell' | ''>
        label={t('trade.side')}
        value={side ?? ''}
        disabled={disabled}
        options={[
          { value: '', text: t('position.close_all.both_sides') },
          { value: 'buy', text: t('trade.buy') },
          { value: 'sell', text: t('trade.sell') },
        ]}
        onPick={(picked) =>
          onChange({
            ...(productId === undefined ? {} : { productId }),
            ...(picked ? { side: picked } : {}),
          })
        }
      />
    </div>
  )
}
