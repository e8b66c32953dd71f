import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { CallFailure, Wire } from '@/api/client'
import { securityQuery } from '@/features/security/api/security'
import { CODE_LENGTH } from '@/ui/form/code-digits'
import {
  failureText,
  type Problems,
  problemText,
  retryAfterSeconds,
  toFailure,
} from '@/ui/form/problems'
import { useCountdown } from '@/ui/form/use-countdown'
import { type MoneyOut, sendMoneyOutCode } from '../api/writes'

/** Maps a refusal's code to its field. */
const fieldOf: Record<string, string> = {
  'payment_password.wrong': 'payPassword',
  'payment_password.missing': 'payPassword',
  'payment_password.locked': 'payPassword',
  'code.wrong': 'validCode',
  'code.too_many': 'validCode',
}

export type ProofState = ReturnType<typeof useProof>

/**
 * The trader's proof for a payment or a new payee: the payment password, and a code sent to their contact for this
 * action. `act` is null until the action is known.
 */
export function useProof(act: MoneyOut | null) {
  const client = useQueryClient()
  const [payPassword, setPayPassword] = useState('')
  const [validCode, setValidCode] = useState('')
  const [codeSent, setCodeSent] = useState<Wire['CodeSent'] | null>(null)
  const [sentFor, setSentFor] = useState('')
  const [sending, setSending] = useState(false)
  const [failure, setFailure] = useState<CallFailure | null>(null)
  const [problems, setProblems] = useState<Problems>({})
  const resend = useCountdown()

  const clear = () => {
    setFailure(null)
    setProblems({})
  }

  /** Handles a refusal that is about the proof; returns whether it was. */
  const refuse = (error: unknown): boolean => {
    const failed = toFailure(error)
    const code = failed.code ?? ''
    if (code === 'code.too_soon') {
      resend.start(retryAfterSeconds(failed))
      return true
    }
    const field = fieldOf[code]
    if (code.startsWith('payment_password.')) {
      void client.invalidateQueries({ queryKey: securityQuery.queryKey })
    }
    if (!field) return false
    if (code === 'code.wrong') setValidCode('')
    setFailure(failed)
    setProblems({ [field]: `error.${code}` })
    return true
  }

  const sendCode = async () => {
    clear()
    if (!act) {
      setProblems({ validCode: 'field.code_first' })
      return
    }
    setSending(true)
    try {
      const sent = await sendMoneyOutCode(act)
      setCodeSent(sent)
      setSentFor(JSON.stringify(act))
      resend.start(sent.resendAfter)
    } catch (error) {
      if (!refuse(error)) setFailure(toFailure(error))
    } finally {
      setSending(false)
    }
  }

  /** Checks that both fields are filled in and marks those that aren't. */
  const check = (): boolean => {
    const found: Problems = {}
    if (payPassword.length < CODE_LENGTH) found.payPassword = 'field.payment_digits'
    if (validCode.length < CODE_LENGTH) found.validCode = 'field.code'
    else if (sentFor !== '' && sentFor !== JSON.stringify(act)) found.validCode = 'field.code_stale'
    setFailure(null)
    setProblems(found)
    return Object.keys(found).length === 0
  }

  /** The error text of a field. */
  const problem = (field: 'payPassword' | 'validCode'): string | undefined =>
    failure && fieldOf[failure.code ?? ''] === field
      ? failureText(failure)
      : problemText(problems[field])

  return {
    payPassword,
    setPayPassword,
    validCode,
    setValidCode,
    codeSent,
    sending,
    resendLeft: resend.left,
    sendCode,
    check,
    refuse,
    problem,
    /** A failure that belongs to neither field. */
    failure: failure && !fieldOf[failure.code ?? ''] ? failure : null,
  }
}
