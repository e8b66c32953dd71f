import type { RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { CodeField } from '@/ui/form/code-field'
import { PasswordField } from '@/ui/form/password-field'
import { problemText } from '@/ui/form/problems'
import type { CodeForm } from '../model/use-code-form'
import { ContactField } from './contact-field'

export type CodeFormFieldsProps = {
  form: Omit<CodeForm, 'submit'>
  /** The form around the fields. */
  around: RefObject<HTMLFormElement | null>
  /** The message after sending a code that is valid for some minutes. */
  sentText: (minutes: number) => string
  /** Names the password if the user already has another one. */
  passwordLabel?: string
}

/** The contact, its code, and the new password. */
export function CodeFormFields({ form, around, sentText, passwordLabel }: CodeFormFieldsProps) {
  const { t } = useTranslation()
  const { problems, codeSent, resendLeft } = form

  const sendCode = async () => {
    if (await form.sendCode()) {
      around.current?.querySelector<HTMLInputElement>('input[name="code"]')?.focus()
    }
  }

  return (
    <>
      <ContactField
        value={form.contact}
        onChange={form.setContact}
        country={form.country}
        error={problemText(problems.account)}
      />
      <CodeField
        value={form.code}
        onChange={form.setCode}
        again={codeSent !== null}
        wait={resendLeft}
        sending={form.busy === 'code'}
        onSend={() => void sendCode()}
        error={problemText(problems.validCode)}
        hint={
          codeSent
            ? sentText(Math.round(codeSent.expiresAfter / 60))
            : resendLeft > 0
              ? t('login.code.before')
              : undefined
        }
      />
      <PasswordField
        {...(passwordLabel ? { label: passwordLabel } : {})}
        value={form.password}
        onChange={form.setPassword}
        autoComplete="new-password"
        error={problemText(problems.password)}
        hint={t('register.password.rule')}
      />
    </>
  )
}
