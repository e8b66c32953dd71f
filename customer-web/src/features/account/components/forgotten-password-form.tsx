import { useTranslation } from 'react-i18next'
import { Button } from '@/ui/button'
import styles from '@/ui/form/form.module.css'
import { failureText } from '@/ui/form/problems'
import { Note } from '@/ui/note'
import type { Contact } from '../model/contact'
import { useForgottenPassword } from '../model/use-forgotten-password'
import { CodeFormFields } from './code-form-fields'

export type ForgottenPasswordFormProps = {
  /** The contact typed at the log-in. */
  contact: Contact | undefined
  /** The password of this contact was replaced. */
  onDone: (contact: Contact) => void
}

/** Replaces a forgotten password; ended sessions and the withdrawal lock are stated above the button. */
export function ForgottenPasswordForm({ contact, onDone }: ForgottenPasswordFormProps) {
  const { t } = useTranslation()
  const form = useForgottenPassword(contact, onDone)
  return (
    <form className={styles.form} noValidate onFocus={form.prepare} onSubmit={form.submit}>
      <p className={styles.lead}>{t('forgot_password.lead')}</p>
      <CodeFormFields
        form={form}
        sentText={(minutes) => t('forgot_password.sent', { minutes })}
        passwordLabel={t('forgot_password.password')}
      />
      <Note tone="warning">{t('forgot_password.hold')}</Note>
      {form.failure && <Note tone="error">{failureText(form.failure)}</Note>}
      <Button type="submit" variant="primary" size="large" block busy={form.submitting}>
        {t('forgot_password.submit')}
      </Button>
    </form>
  )
}
