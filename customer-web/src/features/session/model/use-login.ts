import { useState } from 'react'
import type { CallFailure, Wire } from '@/api/client'
import { login, sendLoginCode } from '../api/sign-in'
import { CODE_LENGTH, type Contact } from './contact'
import { type Problems, toFailure, waitOf } from './refusal'
import { contactProblem, useContact } from './use-contact'
import { useCountdown } from './use-countdown'

/** A log-in: first the password, then the code if the device is new to the account. */
export function useLogin(known: Contact | undefined, onDone: (session: Wire['Session']) => void) {
  const { contact, setContact, country, account } = useContact(known)
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [step, setStep] = useState<'password' | 'code'>('password')
  const [codeSent, setCodeSent] = useState<Wire['CodeSent'] | null>(null)
  const [busy, setBusy] = useState<'login' | 'code' | null>(null)
  const [failure, setFailure] = useState<CallFailure | null>(null)
  const [problems, setProblems] = useState<Problems>({})
  const throttle = useCountdown()
  const resend = useCountdown()

  const refuse = (error: unknown) => {
    const failed = toFailure(error)
    switch (failed.code) {
      case 'login.code_required':
        setStep('code')
        void sendCode()
        return
      case 'login.wrong':
        setStep('password')
        setFailure(failed)
        return
      case 'login.too_many':
        throttle.start(waitOf(failed))
        setFailure(failed)
        return
      case 'code.wrong':
        setCode('')
        setProblems({ validCode: 'error.code.wrong' })
        return
      case 'code.too_soon':
        resend.start(waitOf(failed))
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
      const sent = await sendLoginCode({ account, password })
      setCodeSent(sent)
      resend.start(sent.resendAfter)
    } catch (error) {
      refuse(error)
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
    setCodeSent(null)
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
