import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { filterNumeric } from '@/format/numeric-input'
import shared from '../block.module.css'
import { cx } from '../cx'
import styles from './amount-field.module.css'

export type AmountFieldProps = {
  value: string
  currency: string
  /** Label above the field; "Amount" by default. */
  label?: string
  /** Decimals of the currency; six by default. */
  precision?: number
  /** Shown below the field while there is no error. */
  hint: ReactNode
  problem?: string | undefined
  /** Shown after the currency. */
  end?: ReactNode
  onChange: (value: string) => void
  onLeave: () => void
}

/** An amount field with the specification's numeric filter, the currency after it, and the error below. */
export function AmountField({
  value,
  currency,
  label,
  precision,
  hint,
  problem,
  end,
  onChange,
  onLeave,
}: AmountFieldProps) {
  const { t } = useTranslation()
  const id = useId()
  return (
    <div>
      <label className={styles.label} htmlFor={id}>
        {label ?? t('deposit.amount.label')}
      </label>
      <div className={cx(styles.field, problem && styles.invalid)}>
        <input
          id={id}
          inputMode="decimal"
          autoComplete="off"
          enterKeyHint="next"
          value={value}
          aria-invalid={problem !== undefined || undefined}
          aria-describedby={`${id}-below`}
          onChange={(event) => onChange(filterNumeric(event.target.value, precision))}
          onBlur={onLeave}
        />
        <span>{currency}</span>
        {end}
      </div>
      <p
        id={`${id}-below`}
        className={problem ? shared.problem : shared.small}
        role={problem ? 'alert' : undefined}
      >
        {problem ?? hint}
      </p>
    </div>
  )
}
