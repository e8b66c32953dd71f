import { replaceForgottenPassword, sendForgottenCode } from '../api/forgotten-password'
import type { Contact } from './contact'
import { useCodeForm } from './use-code-form'

const shown = ['account', 'validCode', 'password']

/** A new password in the place of a forgotten one: a code to the address, then everything at once. */
export function useForgottenPassword(known: Contact | undefined, onDone: (of: Contact) => void) {
  const form = useCodeForm({ sendTo: sendForgottenCode, shown, contact: known })

  const send = async () => {
    const { account, password, code: validCode, contact } = form
    await replaceForgottenPassword({ account, password, validCode })
    onDone(contact)
  }

  return { ...form, submit: () => form.submit(send) }
}
