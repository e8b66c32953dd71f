import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { bidiIsolate } from '@/format/bidi-isolate'
import { withDots } from '@/storage/mask-name'
import { FormField } from '@/ui/form/form-field'
import { PasswordField } from '@/ui/form/password-field'
import { Note } from '@/ui/note'
import { useSecurity } from '../api/security'
import type { SecurityProofState } from '../model/use-security-proof'
import { ConfirmField } from './confirm-field'

export type SecurityProofFieldsProps = {
  proof: SecurityProofState
  /** The label of the password, where the form has another one. */
  label?: string
  /** Names the code, where the form has another one. */
  codeLabel?: string
  /** Fields between the password and the code. */
  between?: ReactNode
}

/** The log-in password, and a code or the second factor. */
export function SecurityProofFields({
  proof,
  label,
  codeLabel,
  between,
}: SecurityProofFieldsProps) {
  const { t } = useTranslation()
  const security = useSecurity().data
  const contact = security?.mail || security?.phone || ''
  return (
    <>
      <FormField control={proof.control} name="password">
        {(field) => (
          <PasswordField
            label={label ?? t('payment_password.login')}
            autoComplete="current-password"
            {...field}
          />
        )}
      </FormField>
      {between}
      <FormField control={proof.control} name="validCode">
        {(field) => (
          <ConfirmField
            recovery
            label={codeLabel}
            confirm={proof.confirm}
            field={field}
            onSend={() => void proof.sendCode()}
            hint={
              contact && t('payment_password.code_to', { contact: bidiIsolate(withDots(contact)) })
            }
          />
        )}
      </FormField>
      {proof.known && <Note tone="warning">{t('factor.passkey.known')}</Note>}
      {proof.failure && <Note tone="error">{proof.failure}</Note>}
    </>
  )
}
