import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { dayIn } from '@/format/days'
import { cx } from './cx'
import styles from './filters.module.css'
import { DateField } from './form/date-field'
import { SelectField } from './form/select-field'

/** A year that is being typed passes through earlier ones. */
const FIRST_DAY = '2000-01-01'

export type FiltersProps = {
  children: ReactNode
  /** In a sheet, whose surface and padding suffice. */
  flush?: boolean
  /** A sentence about the fields. */
  hint?: { id: string; text: string }
}

/** The filters of a list: fields side by side, two columns on a phone. */
export function Filters({ children, flush = false, hint }: FiltersProps) {
  const { t } = useTranslation()
  return (
    <fieldset className={cx(styles.filters, flush && styles.flush)}>
      <legend className="visually-hidden">{t('history.filters')}</legend>
      {children}
      {hint && (
        <p id={hint.id} className={styles.hint}>
          {hint.text}
        </p>
      )}
    </fieldset>
  )
}

export type FilterSelectProps<T extends string | number> = {
  label: string
  /** The label of "no filter". */
  all: string
  value: T | undefined
  options: readonly { value: T; text: string }[]
  onPick: (value: T | undefined) => void
}

/** A filter for one of a few values, or all. */
export function FilterSelect<T extends string | number>({
  label,
  all,
  value,
  options,
  onPick,
}: FilterSelectProps<T>) {
  return (
    <SelectField<T | ''>
      label={label}
      className={styles.field}
      value={value ?? ''}
      options={[{ value: '', text: all }, ...options]}
      onPick={(picked) => onPick(picked === '' ? undefined : picked)}
    />
  )
}

export type FilterDayProps = {
  label: string
  value: string | undefined
  /** The last selectable day. */
  today: string
  describedBy?: string
  /** Receives a day up to today, or undefined if the field was cleared or is incomplete. */
  onPick: (day: string | undefined) => void
}

/** A filter for a day as `yyyy-mm-dd`. */
export function FilterDay({ label, value, today, describedBy, onPick }: FilterDayProps) {
  const pick = (text: string) => {
    const day = dayIn(text) ?? undefined
    if (day === undefined || (FIRST_DAY <= day && day <= today)) onPick(day)
  }
  return (
    <div className={styles.field}>
      <DateField
        label={label}
        value={value ?? ''}
        min={FIRST_DAY}
        max={today}
        describedBy={describedBy}
        onChange={pick}
      />
    </div>
  )
}
