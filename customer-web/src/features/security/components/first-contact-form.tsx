import { useTranslation } from 'react-i18next'
import { object } from 'zod/mini'
import { CodeFormFields } from '@/features/account/components/code-form-fields'
import type { Contact } from '@/features/account/model/contact'
import { codeFields, emptyCodeFields, useCodeForm } from '@/features/account/model/use-code-form'
import { startContact, useContactSchema } from '@/features/account/model/use-contact-schema'
import { Button } from '@/ui/button'
import styles from '@/ui/form/form.module.css'
import { failureText } from '@/ui/form/problems'
import { useSchemaForm } from '@/ui/form/use-schema-form'
import { Note } from '@/ui/note'
import { sendContactCode, updateContact } from '../api/guard'
import type { Security } from '../api/security'

export type FirstContactFormProps = {
  kind: Contact['kind']
  onDone: (security: Security) => void
}

/** Binds the first contact of an account that a wallet opened, with a login password; there is nothing old to prove. */
export function FirstContactForm({ kind, onDone }: FirstContactFormProps) {
  const { t } = useTranslation()
  const contactSchema = useContactSchema()
  const whole = useSchemaForm(object({ account: contactSchema, ...codeFields }), {
    account: { ...startContact(), kind },
    ...emptyCodeFields,
  })
  const form = useCodeForm(whole, {
    contactSchema,
    sendTo: (account) => sendContactCode(account),
    send: async ({ account, validCode: contactCode, password }) =>
      onDone(await updateContact({ account, contactCode, password, validCode: '' })),
  })
  return (
    <form className={styles.form} noValidate onFocus={form.prepare} onSubmit={form.submit}>
      <p className={styles.lead}>{t('contact.first.lead')}</p>
      <CodeFormFields
        form={form}
        sentText={(minutes) => t('session.code.sent', { minutes })}
        passwordLabel={t('contact.first.password')}
      />
      {form.failure && <Note tone="error">{failureText(form.failure)}</Note>}
      <Button type="submit" variant="primary" size="large" block busy={form.submitting}>
        {t('contact.first.submit')}
      </Button>
    </form>
  )
}
