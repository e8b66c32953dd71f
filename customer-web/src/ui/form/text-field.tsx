import type { HTMLInputAutoCompleteAttribute, ReactNode } from 'react'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { cx } from '../cx'
import { FieldMessage } from './field-message'
import styles from './text-field.module.css'

export type TextFieldProps = {
  label: string
  value: string
  onChange: (value: string) => void
  name: string
  type?: 'text' | 'email' | 'tel' | 'password' | 'date'
  inputMode?: 'text' | 'email' | 'tel' | 'numeric' | 'decimal'
  autoComplete: HTMLInputAutoCompleteAttribute
  /** The error, already translated. */
  error?: string | undefined
  hint?: ReactNode
  optional?: boolean
  disabled?: boolean
  autoFocus?: boolean
  maxLength?: number
  /** The first and last allowed date. */
  min?: string
  max?: string
  /** Codes and digits are left to right in every language. */
  ltr?: boolean
  /** Shown before and after the text, inside the frame. */
  start?: ReactNode
  end?: ReactNode
  className?: string | undefined
}

/** A text field with its label above and its error below. */
export function TextField({
  label,
  value,
  onChange,
  name,
  type = 'text',
  inputMode = 'text',
  autoComplete,
  error,
  hint,
  optional = false,
  disabled = false,
  autoFocus = false,
  maxLength,
  min,
  max,
  ltr = false,
  start,
  end,
  className,
}: TextFieldProps) {
  const { t } = useTranslation()
  const id = useId()
  const messageId = `${id}-message`
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        {label}
        {optional && <span className={styles.optional}>{t('session.optional')}</span>}
      </label>
      <div className={cx(styles.box, error && styles.invalid, disabled && styles.disabled)}>
        {start}
        <input
          id={id}
          className={cx(styles.input, className)}
          name={name}
          type={type}
          inputMode={inputMode}
          autoComplete={autoComplete}
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          dir={ltr ? 'ltr' : undefined}
          value={value}
          disabled={disabled}
          maxLength={maxLength}
          min={min}
          max={max}
          // biome-ignore lint/a11y/noAutofocus: only a form that was just opened to be filled in asks for it
          autoFocus={autoFocus}
          aria-invalid={error ? true : undefined}
          aria-describedby={error || hint ? messageId : undefined}
          onChange={(event) => onChange(event.target.value)}
        />
        {end}
      </div>
      <FieldMessage id={messageId} error={error} hint={hint} />
    </div>
  )
}
