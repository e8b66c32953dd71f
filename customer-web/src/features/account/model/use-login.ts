import { type FormEvent, useState } from 'react'
import { minLength, object, string } from 'zod/mini'
import type { CallFailure, Wire } from '@/api/client'
import { fullCode } from '@/ui/form/code-digits'
import { retryAfterSeconds, toFailure } from '@/ui/form/problems'
import { showRefusal } from '@/ui/form/show-refusal'
import { useCountdown } from '@/ui/form/use-countdown'
import { useSchemaForm } from '@/ui/form/use-schema-form'
import { type Credentials, login, sendLoginCode } from '../api/sign-in'
import type { Contact } from './contact'
import { SolveCancelled } from './solutions'
import { startContact, useContactSchema } from './use-contact-schema'
import { useSolutions } from './use-solutions'

const password = string().check(minLength(1, 'field.required'))
const codeSchema = object({ validCode: fullCode })

/**
 * The log-in: the password first, then the code if the device is new to the account or too many passwords were
 * wrong.
 */
export function useLogin(known: Contact | undefined, onDone: (session: Wire['Session']) => void) {
  const access = useSchemaForm(object({ account: useContactSchema(), password }), {
    account: startContact(known),
    password: '',
  })
  const proof = useSchemaForm(codeSchema, { validCode: '' })
  /** Those of the code step; null in the password step. */
  const [credentials, setCredentials] = useState<Credentials | null>(null)
  const [codeFirst, setCodeFirst] = useState(false)
  const [codeSent, setCodeSent] = useState<Wire['CodeSent'] | null>(null)
  const [sending, setSending] = useState(false)
  const [failure, setFailure] = useState<CallFailure | null>(null)
  const throttle = useCountdown()
  const resend = useCountdown()
  const solutions = useSolutions()

  const refuse = (error: unknown, of: Credentials) => {
    const failed = toFailure(error)
    switch (failed.code) {
      case 'login.code_first':
        setCredentials(of)
        setCodeFirst(true)
        solutions.prepare()
        return
      case 'login.code_required':
        setCredentials(of)
        setCodeFirst(false)
        void sendCode(of)
        return
      case 'login.wrong':
        startOver()
        setFailure(failed)
        return
      case 'login.too_many':
        throttle.start(retryAfterSeconds(failed))
        setFailure(failed)
        return
      case 'code.wrong':
        proof.setValue('validCode', '')
        showRefusal(proof, error, { 'code.wrong': 'validCode' })
        return
      case 'code.too_soon':
        resend.start(retryAfterSeconds(failed))
        return
      default:
        if (!showRefusal(access, error)) setFailure(failed)
    }
  }

  const sendCode = async (of: Credentials) => {
    setSending(true)
    setFailure(null)
    proof.clearErrors()
    try {
      const send = (solution?: string) => sendLoginCode(of, solution)
      const sent = await (codeFirst ? solutions.send(send) : solutions.sendIfAsked(send))
      setCodeSent(sent)
      resend.start(sent.resendAfter)
    } catch (error) {
      if (!(error instanceof SolveCancelled)) refuse(error, of)
    } finally {
      setSending(false)
    }
  }

  const logIn = async (of: Credentials, validCode?: string) => {
    if (sending) return
    try {
      onDone(await login(of, validCode))
    } catch (error) {
      refuse(error, of)
    }
  }

  const submit = (event: FormEvent) => {
    setFailure(null)
    return credentials
      ? proof.handleSubmit(({ validCode }) => logIn(credentials, validCode))(event)
      : access.handleSubmit((typed) => logIn(typed))(event)
  }

  const startOver = () => {
    setCredentials(null)
    proof.reset()
    setCodeFirst(false)
    setCodeSent(null)
    solutions.stop()
    setFailure(null)
  }

  return {
    access,
    proof,
    credentials,
    /** Passwords are no longer accepted without a code, so the code step was not caused by a new device. */
    codeFirst,
    codeSent,
    sending,
    submitting: access.formState.isSubmitting || proof.formState.isSubmitting,
    failure,
    throttleLeft: throttle.left,
    resendLeft: resend.left,
    sendCode,
    submit,
    startOver,
  }
}
