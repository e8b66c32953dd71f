import { useState } from 'react'
import type { CallFailure, Wire } from '@/api/client'
import { CODE_LENGTH } from '@/ui/form/code-digits'
import { type Problems, retryAfterSeconds, toFailure } from '@/ui/form/problems'
import { useCountdown } from '@/ui/form/use-countdown'
import { login, sendLoginCode } from '../api/sign-in'
import type { Contact } from './contact'
import { SolveCancelled } from './solutions'
import { contactProblem, useContact } from './use-contact'
import { useSolutions } from './use-solutions'

/**
 * The log-in: the password first, then the code if the device is new to the account or too many passwords were
 * wrong.
 */
export function useLogin(known: Contact | undefined, onDone: (session: Wire['Session']) => void) {
  const { contact, setContact, country, account } = useContact(known)
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [step, setStep] = useState<'password' | 'code'>('password')
  const [codeFirst, setCodeFirst] = useState(false)
  const [codeSent, setCodeSent] = useState<Wire['CodeSent'] | null>(null)
  const [busy, setBusy] = useState<'login' | 'code' | null>(null)
  const [failure, setFailure] = useState<CallFailure | null>(null)
  const [problems, setProblems] = useState<Problems>({})
  const throttle = useCountdown()
  const resend = useCountdown()
  const solutions = useSolutions()

  const refuse = (error: unknown) => {
    const failed = toFailure(error)
    switch (failed.code) {
      case 'login.code_first':
        setStep('code')
        setCodeFirst(true)
        solutions.prepare()
        return
      case 'login.code_required':
        setStep('code')
        setCodeFirst(false)
        void sendCode()
        return
      case 'login.wrong':
        setStep('password')
        setFailure(failed)
        return
      case 'login.too_many':
        throttle.start(retryAfterSeconds(failed))
        setFailure(failed)
        return
      case 'code.wrong':
        setCode('')
        setProblems({ validCode: 'error.code.wrong' })
        return
      case 'code.too_soon':
        resend.start(retryAfterSeconds(failed))
        return
      default:
        setProblems(failed.fields)
        setFailure(failed)
    }
  }

  const begin = (act: 'login' | 'code') => {
    setBusy(act)
    setFailure(null)
    setProblems({})
  }

  const sendCode = async () => {
    begin('code')
    try {
      const send = (solution?: string) => sendLoginCode({ account, password }, solution)
      const sent = await (codeFirst ? solutions.send(send) : solutions.sendIfAsked(send))
      setCodeSent(sent)
      resend.start(sent.resendAfter)
    } catch (error) {
      if (!(error instanceof SolveCancelled)) refuse(error)
    } finally {
      setBusy(null)
    }
  }

  const missing = (): Problems => {
    const found: Problems = {}
    const atContact = contactProblem(contact, account)
    if (atContact) found.account = atContact
    if (password === '') found.password = 'field.required'
    if (step === 'code' && code.length < CODE_LENGTH) found.validCode = 'field.code'
    return found
  }

  const submit = async () => {
    const found = missing()
    if (Object.keys(found).length > 0) {
      setFailure(null)
      setProblems(found)
      return
    }
    begin('login')
    try {
      onDone(await login({ account, password }, step === 'code' ? code : undefined))
    } catch (error) {
      refuse(error)
    } finally {
      setBusy((act) => (act === 'login' ? null : act))
    }
  }

  const startOver = () => {
    setStep('password')
    setCode('')
    setCodeFirst(false)
    setCodeSent(null)
    solutions.stop()
    setFailure(null)
    setProblems({})
  }

  return {
    contact,
    setContact,
    country,
    account,
    password,
    setPassword,
    code,
    setCode,
    step,
    /** Passwords are no longer accepted without a code, so the code step was not caused by a new device. */
    codeFirst,
    codeSent,
    busy,
    failure,
    problems,
    throttleLeft: throttle.left,
    resendLeft: resend.left,
    sendCode,
    submit,
    startOver,
  }
}
