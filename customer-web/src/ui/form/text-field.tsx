import FormControl from '@mui/material/FormControl'
import FormLabel from '@mui/material/FormLabel'
import OutlinedInput from '@mui/material/OutlinedInput'
import type { HTMLInputAutoCompleteAttribute, ReactNode, Ref } from 'react'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { FieldMessage } from './field-message'
import styles from './text-field.module.css'

export type TextFieldProps = {
  label: string
  value: string
  onChange: (value: string) => void
  onBlur?: () => void
  name: string
  type?: 'text' | 'email' | 'tel' | 'password'
  inputMode?: 'text' | 'email' | 'tel' | 'numeric' | 'decimal'
  autoComplete: HTMLInputAutoCompleteAttribute
  /** The error, already translated. */
  error?: string | undefined
  hint?: ReactNode
  optional?: boolean
  disabled?: boolean
  autoFocus?: boolean
  maxLength?: number
  /** Codes and digits are left to right in every language. */
  ltr?: boolean
  /** Shown before and after the text, inside the frame. */
  start?: ReactNode
  end?: ReactNode
  className?: string | undefined
  /** The rows of a text of several lines; a single line without it. */
  rows?: number
  inputRef?: Ref<HTMLInputElement | HTMLTextAreaElement> | undefined
}

/** A text field with its label above and its error below. */
export function TextField({
  label,
  value,
  onChange,
  onBlur,
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
  ltr = false,
  start,
  end,
  className,
  rows,
  inputRef,
}: TextFieldProps) {
  const { t } = useTranslation()
  const id = useId()
  const messageId = `${id}-message`
  return (
    <FormControl fullWidth disabled={disabled} error={Boolean(error)} className={styles.field}>
      <FormLabel htmlFor={id} className={styles.label}>
        {label}
        {optional && <span className={styles.optional}>{t('session.optional')}</span>}
      </FormLabel>
      <OutlinedInput
        id={id}
        inputRef={inputRef}
        multiline={rows !== undefined}
        minRows={rows}
        name={name}
        type={type}
        value={value}
        autoComplete={autoComplete}
        autoFocus={autoFocus}
        startAdornment={start}
        endAdornment={end}
        onChange={(event) => onChange(event.target.value)}
        onBlur={onBlur}
        slotProps={{
          input: {
            className,
            inputMode,
            autoCapitalize: 'none',
            autoCorrect: 'off',
            spellCheck: false,
            // A text of several lines is in the trader's own words, whose direction the first letter tells.
            dir: ltr ? 'ltr' : rows === undefined ? undefined : 'auto',
            maxLength,
            'aria-describedby': error || hint ? messageId : undefined,
          },
        }}
      />
      <FieldMessage id={messageId} error={error} hint={hint} />
    </FormControl>
  )
}
