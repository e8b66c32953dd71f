import { replaceForgottenPassword, sendForgottenCode } from '../api/forgotten-password'
import type { Contact } from './contact'
import { useCodeForm } from './use-code-form'

const shown = ['account', 'validCode', 'password']

/** Replaces a forgotten password: requests a code, then submits all fields at once. */
export function useForgottenPassword(known: Contact | undefined, onDone: (of: Contact) => void) {
  const form = useCodeForm({ sendTo: sendForgottenCode, shown, contact: known })

  const send = async () => {
    const { account, password, code: validCode, contact } = form
    await replaceForgottenPassword({ account, password, validCode })
    onDone(contact)
  }

  return { ...form, submit: () => form.submit(send) }
}
