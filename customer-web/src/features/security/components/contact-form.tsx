import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { object } from 'zod/mini'
import type { CallFailure, Wire } from '@/api/client'
import { ContactField } from '@/features/account/components/contact-field'
import type { Contact } from '@/features/account/model/contact'
import { startContact, useContactSchema } from '@/features/account/model/use-contact-schema'
import { bidiIsolate } from '@/format/bidi-isolate'
import { withDots } from '@/storage/mask-name'
import { Button } from '@/ui/button'
import { fullCode } from '@/ui/form/code-digits'
import { CodeField } from '@/ui/form/code-field'
import styles from '@/ui/form/form.module.css'
import { FormField } from '@/ui/form/form-field'
import { failureText, retryAfterSeconds, toFailure } from '@/ui/form/problems'
import { showRefusal } from '@/ui/form/show-refusal'
import { useCountdown } from '@/ui/form/use-countdown'
import { useSchemaForm } from '@/ui/form/use-schema-form'
import { Note } from '@/ui/note'
import { sendContactCode, updateContact } from '../api/guard'
import type { Security } from '../api/security'
import {
  emptySecurityProof,
  securityFields,
  useSecurityConfirm,
  useSecurityProof,
} from '../model/use-security-proof'
import { SecurityProofFields } from './security-proof-fields'

export type ContactFormProps = {
  kind: Contact['kind']
  security: Security
  /** Where a trader goes who can't reach the present contact. */
  supportPath: string
  onDone: (security: Security) => void
}

/** Binds a contact or replaces one: a code to the new one, and the proof with the present one. */
export function ContactForm({ kind, security, supportPath, onDone }: ContactFormProps) {
  const { t } = useTranslation()
  const confirm = useSecurityConfirm('change_contact')
  const contact = useContactSchema()
  const form = useSchemaForm(
    object({
      account: contact,
      contactCode: fullCode,
      ...securityFields(confirm.method),
    }),
    { account: { ...startContact(), kind }, contactCode: '', ...emptySecurityProof },
  )
  const proof = useSecurityProof(form, confirm, async (sent) => onDone(await updateContact(sent)), {
    'contact.not_possible': 'account',
  })
  const code = useNewContactCode(
    async () => {
      const typed = contact.safeParse(form.getValues('account'))
      if (!typed.success) await form.trigger('account', { shouldFocus: true })
      return typed.success ? typed.data : null
    },
    (error) => showRefusal(form, error),
  )
  const present = kind === 'mail' ? security.mail : security.phone

  return (
    <form className={styles.form} noValidate onSubmit={proof.submit}>
      <p className={styles.lead}>
        {present
          ? t('contact.present', { contact: bidiIsolate(withDots(present)) })
          : t(`contact.unset.${kind}`)}
      </p>
      <Note tone="warning">{t('contact.hold')}</Note>
      <FormField control={form.control} name="account">
        {(field) => <ContactField {...field} />}
      </FormField>
      <FormField control={form.control} name="contactCode">
        {(field) => (
          <CodeField
            label={t('contact.code')}
            again={code.sent !== null}
            wait={code.wait}
            sending={code.sending}
            onSend={() => void code.send()}
            hint={
              code.sent
                ? t('session.code.sent', { minutes: Math.round(code.sent.expiresAfter / 60) })
                : t('contact.code.hint')
            }
            {...field}
          />
        )}
      </FormField>
      {code.failure && <Note tone="error">{failureText(code.failure)}</Note>}
      <SecurityProofFields proof={proof} codeLabel={t('contact.code.present')} />
      <Button type="submit" variant="primary" size="large" block busy={proof.submitting}>
        {t('contact.submit')}
      </Button>
      <Button variant="text" block to={supportPath}>
        {t('contact.lost')}
      </Button>
    </form>
  )
}

type NewContactCode = {
  sent: Wire['CodeSent'] | null
  sending: boolean
  wait: number
  failure: CallFailure | null
  send: () => Promise<void>
}

/** The code to the new contact; `account` is the contact as the server takes it, null while it is incomplete. */
function useNewContactCode(
  account: () => Promise<string | null>,
  refuse: (error: unknown) => boolean,
): NewContactCode {
  const [sent, setSent] = useState<Wire['CodeSent'] | null>(null)
  const [sending, setSending] = useState(false)
  const [failure, setFailure] = useState<CallFailure | null>(null)
  const resend = useCountdown()
  const send = async () => {
    setFailure(null)
    const to = await account()
    if (to === null) return
    setSending(true)
    try {
      const code = await sendContactCode(to)
      setSent(code)
      resend.start(code.resendAfter)
    } catch (error) {
      const failed = toFailure(error)
      if (failed.code === 'code.too_soon') resend.start(retryAfterSeconds(failed))
      else if (!refuse(error)) setFailure(failed)
    } finally {
      setSending(false)
    }
  }
  return { sent, sending, wait: resend.left, failure, send }
}
