import ButtonBase from '@mui/material/ButtonBase'
import type { Ref } from 'react'
import { useTranslation } from 'react-i18next'
import { formatCountdown } from '@/format/countdown'
import { Num } from '../num'
import { codeDigits } from './code-digits'
import styles from './code-field.module.css'
import { TextField } from './text-field'

export type CodeFieldProps = {
  /** Names the code if the form has more than one. */
  label?: string | undefined
  value: string
  onChange: (value: string) => void
  /** Whether a code was requested before. */
  again: boolean
  /** Seconds until another code may be sent. */
  wait: number
  sending: boolean
  onSend: () => void
  error?: string | undefined
  hint?: string | undefined
  autoFocus?: boolean
  inputRef?: Ref<HTMLInputElement | HTMLTextAreaElement> | undefined
}

/** The six-digit code field with its send button. */
export function CodeField({
  label: name,
  value,
  onChange,
  again,
  wait,
  sending,
  onSend,
  error,
  hint,
  autoFocus = false,
  inputRef,
}: CodeFieldProps) {
  const { t } = useTranslation()
  const ask = again ? t('session.code.resend') : t('session.code.send')
  const label = sending ? t('session.code.sending') : ask
  return (
    <>
      <TextField
        label={name ?? t('session.code')}
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        ltr
        className={styles.digits}
        value={value}
        onChange={(text) => onChange(codeDigits(text))}
        error={error}
        hint={hint}
        autoFocus={autoFocus}
        inputRef={inputRef}
        end={
          <ButtonBase
            className={styles.send}
            disabled={wait > 0 || sending}
            aria-busy={sending || undefined}
            onClick={onSend}
          >
            {label} {wait > 0 && <Num>{formatCountdown(wait)}</Num>}
          </ButtonBase>
        }
      />
      {/* Sending may take seconds, because a challenge is solved first. */}
      <span aria-live="polite" className="visually-hidden">
        {sending && t('session.code.sending')}
      </span>
    </>
  )
}
