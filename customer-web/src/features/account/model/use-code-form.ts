import { useState } from 'react'
import type { CallFailure, Wire } from '@/api/client'
import { CODE_LENGTH } from '@/ui/form/code-digits'
import { type Problems, retryAfterSeconds, toFailure } from '@/ui/form/problems'
import { useCountdown } from '@/ui/form/use-countdown'
import type { Contact } from './contact'
import { contactProblem, useContact } from './use-contact'
import { useSolutions } from './use-solutions'

const PASSWORD_MIN = 8
const PASSWORD_MAX = 128

export type CodeFormOptions = {
  /** Sends the code to an account, with the solution of a challenge. */
  sendTo: (account: string, solution: string) => Promise<Wire['CodeSent']>
  /** The fields that show their own problems. */
  shown: readonly string[]
  /** The prefilled contact. */
  contact?: Contact | undefined
}

export type CodeForm = ReturnType<typeof useCodeForm>

/** The shared part of registration and forgotten password: a contact, its code, and a new password. */
export function useCodeForm({ sendTo, shown, contact: known }: CodeFormOptions) {
  const { contact, setContact, country, account } = useContact(known)
  const [code, setCode] = useState('')
  const [password, setPassword] = useState('')
  const [codeSent, setCodeSent] = useState<(Wire['CodeSent'] & { to: string }) | null>(null)
  const [busy, setBusy] = useState<'submit' | 'code' | null>(null)
  const [failure, setFailure] = useState<CallFailure | null>(null)
  const [problems, setProblems] = useState<Problems>({})
  const [waitsFor, setWaitsFor] = useState('')
  const resend = useCountdown()
  const solutions = useSolutions({ ahead: true })

  const refuse = (error: unknown) => {
    const failed = toFailure(error)
    switch (failed.code) {
      case 'code.wrong':
      case 'code.too_many':
        if (failed.code === 'code.wrong') setCode('')
        setProblems({ validCode: `error.${failed.code}` })
        return
      case 'code.too_soon':
        resend.start(retryAfterSeconds(failed))
        setWaitsFor(account)
        return
      default:
        setProblems(failed.fields)
        // A problem shown at a field is not repeated below the form.
        setFailure(
          Object.keys(failed.fields).some((field) => shown.includes(field)) ? null : failed,
        )
    }
  }

  const begin = (act: 'submit' | 'code') => {
    setBusy(act)
    setFailure(null)
    setProblems({})
  }

  /** Resolves to whether a code was sent. */
  const sendCode = async (): Promise<boolean> => {
    const atContact = contactProblem(contact, account)
    if (atContact) {
      setProblems({ account: atContact })
      return false
    }
    begin('code')
    try {
      const sent = await solutions.send((solution) => sendTo(account, solution))
      setCodeSent({ ...sent, to: account })
      setWaitsFor(account)
      resend.start(sent.resendAfter)
      return true
    } catch (error) {
      refuse(error)
      return false
    } finally {
      setBusy(null)
    }
  }

  const missing = (): Problems => {
    const found: Problems = {}
    const atContact = contactProblem(contact, account)
    const length = Array.from(password).length
    if (atContact) found.account = atContact
    if (code.length < CODE_LENGTH) found.validCode = 'field.code'
    if (length < PASSWORD_MIN) found.password = 'field.password_short'
    if (length > PASSWORD_MAX) found.password = 'field.password_long'
    return found
  }

  /** Submits the form, unless one of its fields or `elsewhere` has a problem. */
  const submit = async (send: () => Promise<void>, elsewhere: Problems = {}) => {
    const found = { ...missing(), ...elsewhere }
    if (Object.keys(found).length > 0) {
      setFailure(null)
      setProblems(found)
      return
    }
    begin('submit')
    try {
      await send()
    } catch (error) {
      refuse(error)
    } finally {
      setBusy(null)
    }
  }

  return {
    contact,
    setContact,
    country,
    account,
    code,
    setCode,
    password,
    setPassword,
    codeSent: codeSent?.to === account ? codeSent : null,
    busy,
    failure,
    problems,
    resendLeft: waitsFor === account ? resend.left : 0,
    sendCode,
    /** Prepares a new solution if the last one was used or has expired; called when the form gets the focus. */
    prepare: () => solutions.prepare(),
    submit,
  }
}
