import { type Ref, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { codeDigits } from '@/ui/form/code-digits'
import { TextField } from '@/ui/form/text-field'
import { IconButton } from '@/ui/icon-button'
import styles from './security.module.css'

export type DigitsFieldProps = {
  label: string
  name: string
  value: string
  onChange: (value: string) => void
  error?: string | undefined
  hint?: string
  inputRef?: Ref<HTMLInputElement | HTMLTextAreaElement> | undefined
}

/** The six digits of a payment password, hidden by default; pasting and digits of any script work. */
export function DigitsField({
  label,
  name,
  value,
  onChange,
  error,
  hint,
  inputRef,
}: DigitsFieldProps) {
  const { t } = useTranslation()
  const [shown, setShown] = useState(false)
  return (
    <TextField
      label={label}
      name={name}
      type={shown ? 'text' : 'password'}
      inputMode="numeric"
      autoComplete="off"
      ltr
      className={styles.digits}
      value={value}
      onChange={(text) => onChange(codeDigits(text))}
      error={error}
      hint={hint}
      inputRef={inputRef}
      end={
        <IconButton
          icon={shown ? 'eyeOff' : 'eye'}
          label={`${shown ? t('payment_password.hide') : t('payment_password.show')}: ${label}`}
          size={20}
          onClick={() => setShown(!shown)}
        />
      }
    />
  )
}
