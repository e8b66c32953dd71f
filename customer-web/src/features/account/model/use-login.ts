import { type FormEvent, useState } from 'react'
import { minLength, object, string } from 'zod/mini'
import type { CallFailure, Wire } from '@/api/client'
import { fullCode } from '@/ui/form/code-digits'
import { retryAfterSeconds, toFailure } from '@/ui/form/problems'
import { showRefusal } from '@/ui/form/show-refusal'
import { useCountdown } from '@/ui/form/use-countdown'
import { useSchemaForm } from '@/ui/form/use-schema-form'
import { type Credentials, type LoginStep, login, sendLoginCode } from '../api/sign-in'
import type { Contact } from './contact'
import { SolveCancelled } from './solutions'
import { startContact, useContactSchema } from './use-contact-schema'
import { useSolutions } from './use-solutions'

const password = string().check(minLength(1, 'field.required'))
const codeSchema = object({ validCode: fullCode })
const factorSchema = object({ factorCode: string().check(minLength(6, 'field.code')) })

/** The second factors that a log-in may be confirmed with. */
export type LoginFactors = { authenticator: boolean; passkeys: boolean }

/**
 * The log-in: the password first, then the second factor, or the code if the device is new to the account. After too
 * many wrong passwords the code comes before the second factor.
 */
export function useLogin(known: Contact | undefined, onDone: (session: Wire['Session']) => void) {
  const access = useSchemaForm(object({ account: useContactSchema(), password }), {
    account: startContact(known),
    password: '',
  })
  const proof = useSchemaForm(codeSchema, { validCode: '' })
  const factor = useSchemaForm(factorSchema, { factorCode: '' })
  /** The account's second factors while one is asked for. */
  const [factors, setFactors] = useState<LoginFactors | null>(null)
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
      case 'login.factor_required':
        setCredentials(of)
        setFactors({
          authenticator: failed.args?.authenticator === 'true',
          passkeys: failed.args?.passkeys === 'true',
        })
        return
      case 'factor.code_wrong':
        factor.setValue('factorCode', '')
        showRefusal(factor, error, { 'factor.code_wrong': 'factorCode' })
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

  const logIn = async (of: Credentials, step?: LoginStep) => {
    if (sending) return
    try {
      onDone(await login(of, step))
    } catch (error) {
      refuse(error, of)
    }
  }

  const submit = (event: FormEvent) => {
    setFailure(null)
    if (!credentials) return access.handleSubmit((typed) => logIn(typed))(event)
    const validCode = proof.getValues('validCode')
    return factors
      ? factor.handleSubmit(({ factorCode }) =>
          logIn(credentials, { factorCode, ...(validCode ? { validCode } : {}) }),
        )(event)
      : proof.handleSubmit((step) => logIn(credentials, step))(event)
  }

  const startOver = () => {
    setCredentials(null)
    proof.reset()
    factor.reset()
    setFactors(null)
    setCodeFirst(false)
    setCodeSent(null)
    solutions.stop()
    setFailure(null)
  }

  return {
    access,
    proof,
    factor,
    factors,
    credentials,
    /** Passwords are no longer accepted without a code, so the code step was not caused by a new device. */
    codeFirst,
    codeSent,
    sending,
    submitting: [access, proof, factor].some(({ formState }) => formState.isSubmitting),
    failure,
    throttleLeft: throttle.left,
    resendLeft: resend.left,
    sendCode,
    submit,
    startOver,
  }
}
