import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Wire } from '@/api/client'
import { Button } from '@/ui/button'
import { CheckField } from '@/ui/form/check-field'
import styles from '@/ui/form/form.module.css'
import { FormField } from '@/ui/form/form-field'
import { failureText } from '@/ui/form/problems'
import { TextField } from '@/ui/form/text-field'
import { Note } from '@/ui/note'
import { useCountries } from '../api/countries'
import { useRegister } from '../model/use-register'
import { CodeFormFields } from './code-form-fields'
import { CountryField } from './country-field'
import { KnownAccount } from './known-account'

export type RegisterFormProps = {
  /** The invitation code in the address; may be empty. */
  invitation: string
  /** The path of the terms and the risk warning, if that screen exists. */
  termsPath?: string | undefined
  /** Where a person goes whose contact has an account. */
  loginPath: string
  forgotPath: string
  onDone: (session: Wire['Session']) => void
}

/** The registration form: contact and code, password, country, and the two checkboxes required by law. */
export function RegisterForm(props: RegisterFormProps) {
  const { invitation, termsPath, loginPath, forgotPath, onDone } = props
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
      />
      <FormField control={control} name="country">
        {(field) => <CountryField label={t('session.country')} useList={useCountries} {...field} />}
      </FormField>
      <FormField control={control} name="invitationCode">
        {(field) => (
          <TextField
            label={t('register.invitation')}
            optional
            autoComplete="off"
            ltr
            maxLength={32}
            {...field}
          />
        )}
      </FormField>
      <div className={styles.boxes}>
        <FormField control={control} name="adult">
          {({ value, ...field }) => (
            <CheckField checked={value} {...field}>
              {t('register.adult')}
            </CheckField>
          )}
        </FormField>
        <FormField control={control} name="terms">
          {({ value, ...field }) => (
            <CheckField checked={value} {...field}>
              {t('register.terms')}{' '}
              {termsPath && <Link to={termsPath}>{t('register.terms.read')}</Link>}
            </CheckField>
          )}
        </FormField>
      </div>
      {failure && <Note tone="error">{failureText(failure)}</Note>}
      <Button type="submit" variant="primary" size="large" block busy={submitting}>
        {t('register.submit')}
      </Button>
    </form>
  )
}
