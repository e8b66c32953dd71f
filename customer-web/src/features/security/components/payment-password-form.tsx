import { useTranslation } from 'react-i18next'
import { bidiIsolate } from '@/format/bidi-isolate'
import { withDots } from '@/storage/mask-name'
import { Button } from '@/ui/button'
import styles from '@/ui/form/form.module.css'
import { FormField } from '@/ui/form/form-field'
import { PasswordField } from '@/ui/form/password-field'
import { failureText } from '@/ui/form/problems'
import { Note } from '@/ui/note'
import type { Security } from '../api/security'
import { type PaymentPasswordAct, usePaymentPassword } from '../model/use-payment-password'
import { ConfirmField } from './confirm-field'
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
  const { control, failure } = form

  return (
    <form className={styles.form} noValidate onSubmit={form.submit}>
      <p className={styles.lead}>{t(`payment_password.${act}.lead`)}</p>
      {act === 'change' ? (
        <FormField control={control} name="oldPassword" args={form.args}>
          {(field) => <DigitsField label={t('payment_password.old')} {...field} />}
        </FormField>
      ) : (
        <FormField control={control} name="password">
          {(field) => (
            <PasswordField
              label={t('payment_password.login')}
              autoComplete="current-password"
              {...field}
            />
          )}
        </FormField>
      )}
      <FormField control={control} name="newPassword">
        {(field) => (
          <DigitsField
            label={t('payment_password.new')}
            hint={t('payment_password.rule')}
            {...field}
          />
        )}
      </FormField>
      <FormField control={control} name="repeat">
        {(field) => <DigitsField label={t('payment_password.repeat')} {...field} />}
      </FormField>
      <FormField control={control} name="validCode">
        {(field) => (
          <ConfirmField
            confirm={form.confirm}
            field={field}
            onSend={() => void form.sendCode()}
            hint={t('payment_password.code_to', {
              contact: bidiIsolate(withDots(security.mail || security.phone)),
            })}
          />
        )}
      </FormField>
      <Note tone={act === 'first' ? 'neutral' : 'warning'}>
        {t(`payment_password.${act}.hold`)}
      </Note>
      {failure && <Note tone="error">{failureText(failure)}</Note>}
      <Button type="submit" variant="primary" size="large" block busy={form.submitting}>
        {t(`payment_password.${act}.submit`)}
      </Button>
    </form>
  )
}
