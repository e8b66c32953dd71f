import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { filterNumeric } from '@/format/numeric-input'
import { cx } from '@/ui/cx'
import styles from './amount-field.module.css'
import shared from './deposit.module.css'

export type AmountFieldProps = {
  value: string
  currency: string
  /** Above the field; "Amount" unless given. */
  label?: string
  /** Decimals of the currency; six unless given. */
  precision?: number
  /** Below the field while nothing is wrong. */
  hint: ReactNode
  problem?: string | undefined
  /** Behind the currency. */
  end?: ReactNode
  onChange: (value: string) => void
  onLeave: () => void
}

/** The amount to pay in or out: the specification's numeric filter, the currency behind it, what is wrong below it. */
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
