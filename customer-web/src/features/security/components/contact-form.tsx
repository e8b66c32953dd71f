import { useTranslation } from 'react-i18next'
import { object } from 'zod/mini'
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
import { failureText } from '@/ui/form/problems'
import { showRefusal } from '@/ui/form/show-refusal'
import { useSchemaForm } from '@/ui/form/use-schema-form'
import { Note } from '@/ui/note'
import { updateContact } from '../api/guard'
import type { Security } from '../api/security'
import { useNewContactCode } from '../model/use-new-contact-code'
import {
  emptySecurityProof,
  securityFields,
  useSecurityConfirm,
  useSecurityProof,
} from '../model/use-security-proof'
import { FormStep } from './form-step'
import { SecurityProofFields } from './security-proof-fields'

export type ContactFormProps = {
  kind: Contact['kind']
  security: Security
  /** Where a trader goes who can't reach the present contact. */
  supportPath: string
  onDone: (security: Security) => void
}

/** Binds an e-mail address or a telephone, or replaces it: the proof, the new contact, and the code sent to it. */
export function ContactForm({ kind, security, supportPath, onDone }: ContactFormProps) {
  const { t } = useTranslation()
  const confirm = useSecurityConfirm('change_contact')
  const contact = useContactSchema()
  const form = useSchemaForm(
    object({ account: contact, contactCode: fullCode, ...securityFields(confirm.method) }),
    { account: { ...startContact(), kind }, contactCode: '', ...emptySecurityProof },
  )
  const proof = useSecurityProof(form, confirm, async (sent) => onDone(await updateContact(sent)), {
    'contact.not_possible': 'account',
    'contact.code_wrong': 'contactCode',
  })
  const typed = contact.safeParse(form.watch('account')).data
  const code = useNewContactCode(typed, {
    validate: () => form.trigger('account', { shouldFocus: true }),
    refuse: (error) => showRefusal(form, error, { 'code.too_many': 'contactCode' }),
    sent: () => form.setFocus('contactCode'),
  })
  const present = kind === 'mail' ? security.mail : security.phone

  return (
    <form className={styles.form} noValidate onSubmit={proof.submit}>
      <p className={styles.lead}>
        {present
          ? t(`contact.present.${kind}`, { contact: bidiIsolate(withDots(present)) })
          : t(`contact.unset.${kind}`)}
      </p>
      <FormStep number={1} title={t('contact.step.proof')}>
        <SecurityProofFields proof={proof} codeLabel={t('contact.code.proof')} />
        {confirm.method === 'sent' && (
          <Button variant="text" to={supportPath}>
            {t('contact.lost')}
          </Button>
        )}
      </FormStep>
      <FormStep number={2} title={t(`contact.step.${kind}`)}>
        <FormField control={form.control} name="account">
          {(field) => <ContactField {...field} choice={false} label={t(`contact.new.${kind}`)} />}
        </FormField>
      </FormStep>
      <FormStep number={3} title={t(`contact.step.code.${kind}`)}>
        <FormField control={form.control} name="contactCode">
          {(field) => (
            <CodeField
              {...field}
              label={t(`contact.code.${kind}`)}
              again={code.codeSent !== undefined}
              wait={code.wait}
              sending={code.sending}
              onSend={() => void code.send()}
              hint={
                code.codeSent
                  ? t('session.code.sent', {
                      minutes: Math.round(code.codeSent.expiresAfter / 60),
                    })
                  : t(`contact.code.hint.${kind}`)
              }
            />
          )}
        </FormField>
        {code.failure && <Note tone="error">{failureText(code.failure)}</Note>}
      </FormStep>
      <Note tone="warning">{present ? t(`contact.after.${kind}`) : t('contact.after.first')}</Note>
      <Button type="submit" variant="primary" size="large" block busy={proof.submitting}>
        {present ? t(`contact.title.${kind}`) : t(`contact.add.${kind}`)}
      </Button>
    </form>
  )
}
