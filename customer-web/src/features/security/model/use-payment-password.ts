import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { CallFailure, Wire } from '@/api/client'
import { CODE_LENGTH } from '@/ui/form/code-digits'
import {
  failureText,
  type Problems,
  problemText,
  retryAfterSeconds,
  toFailure,
} from '@/ui/form/problems'
import { useCountdown } from '@/ui/form/use-countdown'
import {
  resetPaymentPassword,
  type Security,
  securityQuery,
  sendPaymentPasswordCode,
  updatePaymentPassword,
} from '../api/security'
import { digitsProblem } from './payment-digits'

/** Set the first one, change it with the old one, or replace a forgotten one. */
export type PaymentPasswordAct = 'first' | 'change' | 'forgotten'

const empty = { password: '', oldPassword: '', newPassword: '', repeat: '', code: '' }

export type PaymentPasswordDraft = typeof empty

/** Maps a refusal's code to its field. */
const fieldOf: Record<string, string> = {
  'login.password_wrong': 'password',
  'payment_password.wrong': 'oldPassword',
  'payment_password.missing': 'oldPassword',
  'code.wrong': 'validCode',
  'code.too_many': 'validCode',
}

/** A new payment password: requests a code, then submits all fields at once. */
export function usePaymentPassword(act: PaymentPasswordAct, onDone: () => void) {
  const client = useQueryClient()
  const [draft, setDraft] = useState(empty)
  const [codeSent, setCodeSent] = useState<Wire['CodeSent'] | null>(null)
  const [busy, setBusy] = useState<'submit' | 'code' | null>(null)
  const [failure, setFailure] = useState<CallFailure | null>(null)
  const [problems, setProblems] = useState<Problems>({})
  const resend = useCountdown()

  const change = (part: Partial<PaymentPasswordDraft>) => setDraft((now) => ({ ...now, ...part }))

  const refuse = (error: unknown) => {
    const failed = toFailure(error)
    const field = fieldOf[failed.code ?? '']
    setFailure(failed)
    setProblems(field ? { [field]: `error.${failed.code}` } : failed.fields)
    if (failed.code === 'code.wrong') change({ code: '' })
    if (failed.code === 'code.too_soon') resend.start(retryAfterSeconds(failed))
    if (failed.code?.startsWith('payment_password.')) {
      void client.invalidateQueries({ queryKey: securityQuery.queryKey })
    }
  }

  const begin = (what: 'submit' | 'code') => {
    setBusy(what)
    setFailure(null)
    setProblems({})
  }

  /** Resolves to whether a code was sent. */
  const sendCode = async (): Promise<boolean> => {
    begin('code')
    try {
      const sent = await sendPaymentPasswordCode()
      setCodeSent(sent)
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
    const atNew = digitsProblem(draft.newPassword)
    if (act === 'change') {
      if (draft.oldPassword.length < CODE_LENGTH) found.oldPassword = 'field.payment_digits'
      else if (draft.oldPassword === draft.newPassword) found.newPassword = 'field.payment_same'
    } else if (draft.password === '') found.password = 'field.required'
    if (atNew) found.newPassword = atNew
    else if (draft.repeat !== draft.newPassword) found.repeat = 'field.payment_repeat'
    if (draft.code.length < CODE_LENGTH) found.validCode = 'field.code'
    return found
  }

  const send = (): Promise<Security> => {
    const { password, oldPassword, newPassword, code: validCode } = draft
    if (act === 'change') return updatePaymentPassword({ oldPassword, newPassword, validCode })
    const body = { password, newPassword, validCode }
    return act === 'first' ? updatePaymentPassword(body) : resetPaymentPassword(body)
  }

  const submit = async () => {
    const found = missing()
    if (Object.keys(found).length > 0) {
      setFailure(null)
      setProblems(found)
      return
    }
    begin('submit')
    try {
      const security = await send()
      onDone()
      client.setQueryData(securityQuery.queryKey, security)
    } catch (error) {
      refuse(error)
    } finally {
      setBusy(null)
    }
  }

  /** The error text of a field; a refusal about the field adds its numbers. */
  const problem = (field: string): string | undefined =>
    failure && fieldOf[failure.code ?? ''] === field
      ? failureText(failure)
      : problemText(problems[field])

  const atField = Object.keys(problems).some((field) => shown.includes(field))
  return {
    draft,
    change,
    codeSent,
    busy,
    problems,
    problem,
    /** A failure that belongs to no field, shown below the form. */
    failure: atField || failure?.code === 'code.too_soon' ? null : failure,
    resendLeft: resend.left,
    sendCode,
    submit,
  }
}

const shown = ['password', 'oldPassword', 'newPassword', 'repeat', 'validCode']
