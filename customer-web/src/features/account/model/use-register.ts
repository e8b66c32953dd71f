import { boolean, minLength, object, refine, string, trim } from 'zod/mini'
import type { Wire } from '@/api/client'
import { currentLanguage } from '@/i18n/i18n'
import { useSchemaForm } from '@/ui/form/use-schema-form'
import { register, sendRegisterCode } from '../api/sign-up'
import { browserRegion } from './browser-region'
import { codeFields, emptyCodeFields, useCodeForm } from './use-code-form'
import { startContact, useContactSchema } from './use-contact-schema'
import { useKnownAccount } from './use-known-account'

const ticked = boolean().check(refine((on) => on, 'field.accepted'))

const fields = {
  ...codeFields,
  country: string().check(minLength(1, 'field.choice')),
  invitationCode: string().check(trim()),
  adult: ticked,
  terms: ticked,
}

/** Registers an account: requests a code, then submits all fields at once. */
export function useRegister(invitation: string, onDone: (session: Wire['Session']) => void) {
  const contactSchema = useContactSchema()
  const form = useSchemaForm(object({ account: contactSchema, ...fields }), {
    account: startContact(),
    ...emptyCodeFields,
    country: browserRegion() ?? '',
    invitationCode: invitation,
    adult: false,
    terms: false,
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
