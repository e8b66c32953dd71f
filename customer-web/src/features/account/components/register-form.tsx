import { useTranslation } from 'react-i18next'
import type { Wire } from '@/api/client'
import { Button } from '@/ui/button'
import styles from '@/ui/form/form.module.css'
import { failureText } from '@/ui/form/problems'
import { Note } from '@/ui/note'
import type { EnrolmentControl } from '../model/enrolment'
import { useRegister } from '../model/use-register'
import { CodeFormFields } from './code-form-fields'
import { EnrolmentFields } from './enrolment-fields'
import { KnownAccount } from './known-account'

export type RegisterFormProps = {
  /** The invitation code in the address; may be empty. */
  invitation: string
  /** The path of the terms and the risk warning, if that screen exists. */
  termsPath?: string | undefined
  /** Where a person goes whose contact has an account. */
  loginPath: string
  forgotPath: string
  /** Chooses an Ethereum wallet in place of a contact. */
  onWallet?: () => void
  onDone: (session: Wire['Session']) => void
}

/** The registration form: contact and code, password, country, and the two checkboxes required by law. */
export function RegisterForm(props: RegisterFormProps) {
  const { invitation, termsPath, loginPath, forgotPath, onWallet, onDone } = props
  const { t } = useTranslation()
  const { control, codeForm, contact, known } = useRegister(invitation, onDone)
  const { failure, submitting } = codeForm

  return (
    <form className={styles.form} noValidate onFocus={codeForm.prepare} onSubmit={codeForm.submit}>
      <CodeFormFields
        form={codeForm}
        sentText={(minutes) => t('session.code.sent', { minutes })}
        onContactLeft={known.ask}
        aboutContact={
          <KnownAccount
            known={known.known}
            contact={contact}
            loginPath={loginPath}
            forgotPath={forgotPath}
          />
        }
        onWallet={onWallet}
      />
      <EnrolmentFields control={control as unknown as EnrolmentControl} termsPath={termsPath} />
      {failure && <Note tone="error">{failureText(failure)}</Note>}
      <Button type="submit" variant="primary" size="large" block busy={submitting}>
        {t('register.submit')}
      </Button>
    </form>
  )
}
