import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { NUMERIC_PRECISION } from '@/constants'
import type { Product } from '@/features/market/api/products'
import { formatAmount } from '@/format/amount'
import { bidiIsolate } from '@/format/bidi-isolate'
import { completeNumeric } from '@/format/numeric-input'
import { FieldMessage } from '@/ui/form/field-message'
import { Stepper } from '@/ui/stepper'
import { volumeProblem, volumeRange } from '../../model/lots'
import styles from './order-ticket.module.css'

export type VolumeInputProps = {
  product: Product
  label: string
  lots: string
  onChange: (lots: string) => void
}

/** The volume of an order as typed, and the rule of the product that it breaks. */
export function VolumeInput({ product, label, lots, onChange }: VolumeInputProps) {
  const { t } = useTranslation()
  const id = useId()
  const problem = volumeProblem(product, completeNumeric(lots))
  const lotsOf = (value: string) => bidiIsolate(formatAmount(value))
  const error = () => {
    switch (problem) {
      case null:
        return undefined
      case 'least':
        return t('trade.volume_least', { min: lotsOf(product.lotMin) })
      case 'most':
        return t('trade.volume_most', { max: lotsOf(product.lotMax) })
      case 'step':
        return t('trade.volume_step', { step: lotsOf(product.lotStep) })
    }
  }
  return (
    <div className={styles.volume}>
      <Stepper
        label={label}
        unit={t('trade.lots')}
        value={lots}
        {...volumeRange(product)}
        typedDecimals={NUMERIC_PRECISION}
        invalid={problem !== null}
        {...(problem ? { describedBy: id } : {})}
        onChange={onChange}
      />
      <FieldMessage id={id} error={error()} />
    </div>
  )
}
