import { useTranslation } from 'react-i18next'
import { boolean, minLength, object, string } from 'zod/mini'
import { Button } from '@/ui/button'
import { CheckField } from '@/ui/form/check-field'
import styles from '@/ui/form/form.module.css'
import { FormField } from '@/ui/form/form-field'
import { PasswordField } from '@/ui/form/password-field'
import { useSchemaForm } from '@/ui/form/use-schema-form'
import { Note } from '@/ui/note'
import { updatePassword } from '../api/guard'
import {
  emptySecurityProof,
  securityFields,
  useSecurityConfirm,
  useSecurityProof,
} from '../model/use-security-proof'
import { SecurityProofFields } from './security-proof-fields'

export type PasswordFormProps = { onDone: () => void }

const initial = { ...emptySecurityProof, newPassword: '', signOut: true }

/** Replaces the log-in password; what follows is stated above the button. */
export function PasswordForm({ onDone }: PasswordFormProps) {
  const { t } = useTranslation()
  const confirm = useSecurityConfirm('change_password')
  const schema = object({
    ...securityFields(confirm.method),
    newPassword: string().check(minLength(1, 'field.required')),
    signOut: boolean(),
  })
  const form = useSchemaForm(schema, initial)
  const proof = useSecurityProof(form, confirm, async ({ signOut, ...sent }) => {
    await updatePassword({ ...sent, keepOthers: !signOut })
    onDone()
  })
  return (
    <form className={styles.form} noValidate onSubmit={proof.submit}>
      <SecurityProofFields
        proof={proof}
        label={t('password.current')}
        between={
          <FormField control={form.control} name="newPassword">
            {(field) => (
              <PasswordField
                label={t('password.new')}
                autoComplete="new-password"
                hint={t('register.password.rule')}
                {...field}
              />
            )}
          </FormField>
        }
      />
      <FormField control={form.control} name="signOut">
        {({ value, onChange }) => (
          <CheckField checked={value} onChange={onChange}>
            {t('password.sign_out')}
          </CheckField>
        )}
      </FormField>
      <Note tone="warning">{t('password.hold')}</Note>
      <Button type="submit" variant="primary" size="large" block busy={proof.submitting}>
        {t('password.submit')}
      </Button>
    </form>
  )
}
