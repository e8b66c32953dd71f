import ButtonBase from '@mui/material/ButtonBase'
import type { ReactNode, Ref } from 'react'
import { useTranslation } from 'react-i18next'
import { filterNumeric, toPlainNumber } from '@/format/numeric-input'
import styles from './amount-field.module.css'
import { TextField } from './text-field'

export type AmountFieldProps = {
  value: string
  currency: string
  name?: string
  /** "Amount" by default. */
  label?: string
  /** Decimals of the currency; six by default. */
  precision?: number
  /** Shown below the field while there is no error. */
  hint: ReactNode
  error?: string | undefined
  /** A button that fills in the largest amount. */
  max?: { label: string; onPick: () => void }
  onChange: (value: string) => void
  onBlur?: () => void
  inputRef?: Ref<HTMLInputElement | HTMLTextAreaElement> | undefined
}

/** A text field for an amount: the specification's numeric filter, and the currency after it. */
export function AmountField({
  currency,
  name = 'amount',
  label,
  precision,
  max,
  onChange,
  ...field
}: AmountFieldProps) {
  const { t } = useTranslation()
  return (
    <TextField
      {...field}
      name={name}
      label={label ?? t('deposit.amount.label')}
      inputMode="decimal"
      autoComplete="off"
      ltr
      className={styles.amount}
      onChange={(text) => onChange(filterNumeric(toPlainNumber(text), precision))}
      end={
        <>
          <span className={styles.currency}>{currency}</span>
          {max && (
            <ButtonBase className={styles.max} aria-label={max.label} onClick={max.onPick}>
              {t('withdraw.amount.max')}
            </ButtonBase>
          )}
        </>
      }
    />
  )
}
