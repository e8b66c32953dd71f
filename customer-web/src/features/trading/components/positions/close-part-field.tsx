import { type Ref, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { NUMERIC_PRECISION } from '@/constants'
import type { Product } from '@/features/market/api/products'
import { formatLots, typedLots } from '@/format/lots'
import { Chip } from '@/ui/chip'
import { FieldMessage } from '@/ui/form/field-message'
import { Num } from '@/ui/num'
import { Stepper } from '@/ui/stepper'
import { isAll } from '../../model/close-part'
import { shareOfLots, volumeRange } from '../../model/lots'
import styles from './position-sheets.module.css'

export type ClosePartFieldProps = {
  product: Product
  /** The position's lots. */
  of: string
  value: string
  error: string | undefined
  disabled: boolean
  onChange: (lots: string) => void
  onBlur: () => void
  inputRef: Ref<HTMLInputElement | HTMLTextAreaElement>
}

const SHARES = [25, 50, 75] as const

/** The volume to close: typed, stepped, or a share of the position. */
export function ClosePartField(props: ClosePartFieldProps) {
  const { product, of, value, error, disabled, onChange, onBlur, inputRef } = props
  const { t } = useTranslation()
  const id = useId()
  return (
    <div className={styles.field}>
      <div className={styles.label}>
        <span>{t('position.close.volume')}</span>
        <span>
          <Num>{formatLots(product, of)}</Num> {t('position.close.open_lots')}
        </span>
      </div>
      <Stepper
        {...volumeRange(product)}
        label={t('position.close.volume')}
        unit={t('trade.lots')}
        value={value}
        max={of}
        typedDecimals={NUMERIC_PRECISION}
        disabled={disabled}
        invalid={error !== undefined}
        {...(error ? { describedBy: id } : {})}
        {...{ onChange, onBlur, inputRef }}
      />
      <div className={styles.shares}>
        {SHARES.map((share) => {
          const part = typedLots(product, shareOfLots(product, of, share))
          return (
            <Chip
              key={share}
              edge
              disabled={disabled}
              on={isAll(part, value) && !isAll(value, of)}
              onClick={() => onChange(part)}
            >
              <Num>{share}%</Num>
            </Chip>
          )
        })}
        <Chip
          edge
          disabled={disabled}
          on={isAll(value, of)}
          onClick={() => onChange(typedLots(product, of))}
        >
          {t('position.close.all')}
        </Chip>
      </div>
      <FieldMessage id={id} error={error} />
    </div>
  )
}
