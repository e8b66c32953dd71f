import { type Ref, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../icon-button'
import { TextField } from './text-field'

export type PasswordFieldProps = {
  /** Names the password if the form has more than one. */
  label?: string
  value: string
  onChange: (value: string) => void
  /** Tells a password manager whether to fill in the saved password or to suggest a new one. */
  autoComplete: 'current-password' | 'new-password'
  error?: string | undefined
  hint?: string
  autoFocus?: boolean
  inputRef?: Ref<HTMLInputElement | HTMLTextAreaElement> | undefined
}

/** A password, hidden by default; pasting works. */
export function PasswordField({
  label,
  value,
  onChange,
  autoComplete,
  error,
  hint,
  autoFocus = false,
  inputRef,
}: PasswordFieldProps) {
  const { t } = useTranslation()
  const [shown, setShown] = useState(false)
  return (
    <TextField
      label={label ?? t('session.password')}
      name="password"
      type={shown ? 'text' : 'password'}
      autoComplete={autoComplete}
      ltr
      value={value}
      onChange={onChange}
      error={error}
      hint={hint}
      autoFocus={autoFocus}
      inputRef={inputRef}
      end={
        <IconButton
          icon={shown ? 'eyeOff' : 'eye'}
          label={shown ? t('session.password.hide') : t('session.password.show')}
          size={20}
          onClick={() => setShown(!shown)}
        />
      }
    />
  )
}
