import { object } from 'zod/mini'
import type { Wire } from '@/api/client'
import { currentLanguage } from '@/i18n/i18n'
import { useSchemaForm } from '@/ui/form/use-schema-form'
import { register, sendRegisterCode } from '../api/sign-up'
import { enrolmentFields, startEnrolment } from './enrolment'
import { codeFields, emptyCodeFields, useCodeForm } from './use-code-form'
import { startContact, useContactSchema } from './use-contact-schema'
import { useKnownAccount } from './use-known-account'

const fields = { ...codeFields, ...enrolmentFields }

/** Registers an account: requests a code, then submits all fields at once. */
export function useRegister(invitation: string, onDone: (session: Wire['Session']) => void) {
  const contactSchema = useContactSchema()
  const form = useSchemaForm(object({ account: contactSchema, ...fields }), {
    account: startContact(),
    ...emptyCodeFields,
    ...startEnrolment(invitation),
  })
  const codeForm = useCodeForm(form, {
    contactSchema,
    sendTo: sendRegisterCode,
    send: async ({ adult, terms, invitationCode, ...sent }) => {
      const session = await register({
        ...sent,
        language: currentLanguage().code,
        accepted: adult && terms,
        ...(invitationCode ? { invitationCode } : {}),
      })
      onDone(session)
    },
  })
  const contact = form.watch('account')
  const known = useKnownAccount(contactSchema.safeParse(contact).data)
  return { control: form.control, codeForm, contact, known }
}
