import { useTranslation } from 'react-i18next'
import { Button } from '@/ui/button'
import { codeDigits } from '@/ui/form/code-digits'
import { CodeField } from '@/ui/form/code-field'
import type { FieldBinding } from '@/ui/form/form-field'
import { TextField } from '@/ui/form/text-field'
import { Icon } from '@/ui/icons/icon'
import { Note } from '@/ui/note'
import type { Confirm } from '../model/use-confirm'
import styles from './security.module.css'

export type ConfirmFieldProps = {
  confirm: Confirm
  field: FieldBinding<string>
  onSend: () => void
  /** Where the code goes, before it is sent. */
  hint?: string | undefined
  /** Names the code that is sent, if the form has another one. */
  label?: string | undefined
  /** Whether a recovery code is accepted too: not where money moves. */
  recovery?: boolean
}

/** The code of an act, or what the trader's second factor takes in its place. */
export function ConfirmField({
  confirm,
  field,
  onSend,
  hint,
  label,
  recovery = false,
}: ConfirmFieldProps) {
  const { t } = useTranslation()
  const { method, both, choose, codeSent } = confirm
  if (method === 'sent')
    return (
      <CodeField
        {...field}
        label={label}
        again={codeSent !== null}
        wait={confirm.resendLeft}
        sending={confirm.sending}
        onSend={onSend}
        hint={
          codeSent
            ? t('session.code.sent', { minutes: Math.round(codeSent.expiresAfter / 60) })
            : hint
        }
      />
    )
  return (
    <div className={styles.confirm}>
      {method === 'passkey' ? (
        <div className={styles.passkey}>
          <Icon name="key" size={20} />
          <p>{t('factor.passkey.confirm')}</p>
        </div>
      ) : (
        <TextField
          label={t('factor.code')}
          inputMode={recovery ? 'text' : 'numeric'}
          autoComplete="one-time-code"
          ltr
          maxLength={recovery ? 24 : 6}
          {...field}
          onChange={(text) => field.onChange(recovery ? text : codeDigits(text))}
          hint={recovery ? t('factor.code.recovery') : t('factor.code.hint')}
        />
      )}
      {method === 'passkey' && field.error && <Note tone="error">{field.error}</Note>}
      {confirm.cancelled && <Note tone="warning">{t('factor.passkey.cancelled')}</Note>}
      {both && (
        <Button
          variant="text"
          size="small"
          onClick={() => choose(method === 'passkey' ? 'authenticator' : 'passkey')}
        >
          {method === 'passkey' ? t('factor.use_authenticator') : t('factor.use_passkey')}
        </Button>
      )}
    </div>
  )
}
