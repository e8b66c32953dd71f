import { useTranslation } from 'react-i18next'
import { bidiIsolate } from '@/format/bidi-isolate'
import { Button } from '@/ui/button'
import { CodeField } from '@/ui/form/code-field'
import styles from '@/ui/form/form.module.css'
import { PasswordField } from '@/ui/form/password-field'
import { failureText } from '@/ui/form/problems'
import { useFocusInvalid } from '@/ui/form/use-focus-invalid'
import { Note } from '@/ui/note'
import type { Security } from '../api/security'
import { type PaymentPasswordAct, usePaymentPassword } from '../model/use-payment-password'
import { DigitsField } from './digits-field'

export type PaymentPasswordFormProps = {
  act: PaymentPasswordAct
  security: Security
  onDone: () => void
}

/** Sets, changes or replaces the payment password; the withdrawal lock that follows is stated above the button. */
export function PaymentPasswordForm({ act, security, onDone }: PaymentPasswordFormProps) {
  const { t } = useTranslation()
  const form = usePaymentPassword(act, onDone)
  const ref = useFocusInvalid(form.problems)
  const { draft, change, codeSent, failure } = form

  const sendCode = async () => {
    if (await form.sendCode()) {
      ref.current?.querySelector<HTMLInputElement>('input[name="code"]')?.focus()
    }
  }

  return (
    <form
      ref={ref}
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!form.busy) void form.submit()
      }}
    >
      <p className={styles.lead}>{t(`payment_password.${act}.lead`)}</p>
      {act === 'change' ? (
        <DigitsField
          label={t('payment_password.old')}
          name="oldPassword"
          value={draft.oldPassword}
          onChange={(oldPassword) => change({ oldPassword })}
          error={form.problem('oldPassword')}
        />
      ) : (
        <PasswordField
          label={t('payment_password.login')}
          value={draft.password}
          onChange={(password) => change({ password })}
          autoComplete="current-password"
          error={form.problem('password')}
        />
      )}
      <DigitsField
        label={t('payment_password.new')}
        name="newPassword"
        value={draft.newPassword}
        onChange={(newPassword) => change({ newPassword })}
        error={form.problem('newPassword')}
        hint={t('payment_password.rule')}
      />
      <DigitsField
        label={t('payment_password.repeat')}
        name="repeat"
        value={draft.repeat}
        onChange={(repeat) => change({ repeat })}
        error={form.problem('repeat')}
      />
      <CodeField
        value={draft.code}
        onChange={(code) => change({ code })}
        again={codeSent !== null}
        wait={form.resendLeft}
        sending={form.busy === 'code'}
        onSend={() => void sendCode()}
        error={form.problem('validCode')}
        hint={
          codeSent
            ? t('session.code.sent', { minutes: Math.round(codeSent.expiresAfter / 60) })
            : t('payment_password.code_to', {
                contact: bidiIsolate(security.mail || security.phone),
              })
        }
      />
      <Note tone={act === 'first' ? 'neutral' : 'warning'}>
        {t(`payment_password.${act}.hold`)}
      </Note>
      {failure && <Note tone="error">{failureText(failure)}</Note>}
      <Button type="submit" variant="primary" size="large" block busy={form.busy === 'submit'}>
        {t(`payment_password.${act}.submit`)}
      </Button>
    </form>
  )
}
