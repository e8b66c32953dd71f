import { object } from 'zod/mini'
import { useSchemaForm } from '@/ui/form/use-schema-form'
import { replaceForgottenPassword, sendForgottenCode } from '../api/forgotten-password'
import type { Contact } from './contact'
import { codeFields, emptyCodeFields, useCodeForm } from './use-code-form'
import { startContact, useContactSchema } from './use-contact-schema'

/** Replaces a forgotten password: requests a code, then submits all fields at once. */
export function useForgottenPassword(known: Contact | undefined, onDone: (of: Contact) => void) {
  const contactSchema = useContactSchema()
  const form = useSchemaForm(object({ account: contactSchema, ...codeFields }), {
    account: startContact(known),
    ...emptyCodeFields,
  })
  return useCodeForm(form, {
    contactSchema,
    sendTo: sendForgottenCode,
    send: async (sent) => {
      await replaceForgottenPassword(sent)
      onDone(form.getValues('account'))
    },
  })
}
