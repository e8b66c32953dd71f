import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CodeField } from '@/ui/form/code-field'
import { FormField } from '@/ui/form/form-field'
import { PasswordField } from '@/ui/form/password-field'
import type { CodeForm } from '../model/use-code-form'
import { ContactField } from './contact-field'

export type CodeFormFieldsProps = {
  form: CodeForm
  /** The message after sending a code that is valid for some minutes. */
  sentText: (minutes: number) => string
  /** Names the password if the user already has another one. */
  passwordLabel?: string
  /** The focus has left the contact. */
  onContactLeft?: () => void
  /** What is said about the contact, under it. */
  aboutContact?: ReactNode
  /** Chooses an Ethereum wallet in place of a contact. */
  onWallet?: (() => void) | undefined
}

/** The contact, its code, and the new password. */
export function CodeFormFields({
  form,
  sentText,
  passwordLabel,
  onContactLeft,
  aboutContact,
  onWallet,
}: CodeFormFieldsProps) {
  const { t } = useTranslation()
  const { control, codeSent, resendLeft } = form
  return (
    <>
      <FormField control={control} name="account">
        {(field) => (
          <ContactField
            onWallet={onWallet}
            {...field}
            {...(onContactLeft ? { onLeave: onContactLeft } : {})}
          />
        )}
      </FormField>
      {aboutContact}
      <FormField control={control} name="validCode">
        {(field) => (
          <CodeField
            again={codeSent !== undefined}
            wait={resendLeft}
            sending={form.sending}
            onSend={() => void form.sendCode()}
            hint={
              codeSent
                ? sentText(Math.round(codeSent.expiresAfter / 60))
                : resendLeft > 0
                  ? t('login.code.before')
                  : undefined
            }
            {...field}
          />
        )}
      </FormField>
      <FormField control={control} name="password">
        {(field) => (
          <PasswordField
            {...(passwordLabel ? { label: passwordLabel } : {})}
            autoComplete="new-password"
            hint={t('register.password.rule')}
            {...field}
          />
        )}
      </FormField>
    </>
  )
}
