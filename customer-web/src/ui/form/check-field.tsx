import { type ReactNode, useId } from 'react'
import { cx } from '../cx'
import { Icon } from '../icons/icon'
import styles from './check-field.module.css'
import { FieldMessage } from './field-message'

export type CheckFieldProps = {
  checked: boolean
  onChange: (checked: boolean) => void
  children: ReactNode
  error?: string | undefined
}

/** A checkbox with the statement the user agrees to. */
export function CheckField({ checked, onChange, children, error }: CheckFieldProps) {
  const id = useId()
  return (
    <div className={styles.field}>
      <label className={styles.line}>
        <span className={cx(styles.box, error && styles.invalid)}>
          <input
            type="checkbox"
            checked={checked}
            aria-invalid={error ? true : undefined}
            aria-describedby={error ? id : undefined}
            onChange={(event) => onChange(event.target.checked)}
          />
          {checked && <Icon name="check" size={14} />}
        </span>
        <span className={styles.text}>{children}</span>
      </label>
      <FieldMessage id={id} error={error} />
    </div>
  )
}
