import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { minLength, string } from 'zod/mini'
import type { CallFailure, Wire } from '@/api/client'
import { securityQuery, useSecurity } from '@/features/security/api/security'
import { CODE_LENGTH } from '@/ui/form/code-digits'
import { failureText, retryAfterSeconds, toFailure } from '@/ui/form/problems'
import { useCountdown } from '@/ui/form/use-countdown'
import type { SchemaForm } from '@/ui/form/use-schema-form'
import { type MoneyOut, sendMoneyOutCode } from '../api/writes'

/** The proof's fields, for the schema of a form. */
export const proofFields = {
  payPassword: string().check(minLength(CODE_LENGTH, 'field.payment_digits')),
  validCode: string().check(minLength(CODE_LENGTH, 'field.code')),
}

export const emptyProof = { payPassword: '', validCode: '' }

export type Proof = typeof emptyProof

/** Maps a refusal's code to its field. */
const fieldOf: Record<string, keyof Proof> = {
  'payment_password.wrong': 'payPassword',
  'payment_password.missing': 'payPassword',
  'payment_password.locked': 'payPassword',
  'code.wrong': 'validCode',
  'code.too_many': 'validCode',
}

export type ProofState = Pick<
  ReturnType<typeof useProof>,
  'control' | 'unset' | 'codeSent' | 'sending' | 'resendLeft' | 'sendCode' | 'failure' | 'errorOf'
>

/**
 * The trader's proof in a form for a payment or a payee: the payment password, and a code sent to their contact for
 * this action. `act` is null until the action is known.
 */
export function useProof<Values extends Proof, Sent>(
  whole: SchemaForm<Values, Sent>,
  act: MoneyOut | null,
) {
  const client = useQueryClient()
  // The two fields are handled alike, whatever else the form has.
  const form = whole as unknown as SchemaForm<Proof, unknown>
  const unset = useSecurity().data?.payPasswordSet === false
  const [codeSent, setCodeSent] = useState<Wire['CodeSent'] | null>(null)
  const [sentFor, setSentFor] = useState('')
  const [sending, setSending] = useState(false)
  const [failure, setFailure] = useState<CallFailure | null>(null)
  const resend = useCountdown()

  const mark = (field: keyof Proof, message: string) =>
    form.setError(field, { type: 'server', message }, { shouldFocus: true })

  /** Shows a refusal that is about the proof; returns whether it was. */
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
    if (code === 'code.wrong') form.setValue('validCode', '')
    setFailure(failed)
    mark(field, `error.${code}`)
    return true
  }

  const sendCode = async () => {
    setFailure(null)
    form.clearErrors('validCode')
    if (!act) {
      mark('validCode', 'field.code_first')
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

  /** Submits the form if its values are valid and the code was sent for this action. */
  const submit = (send: (values: Sent) => Promise<void> | void) =>
    whole.handleSubmit((values) => {
      setFailure(null)
      if (sentFor !== '' && sentFor !== JSON.stringify(act)) {
        mark('validCode', 'field.code_stale')
        return
      }
      return send(values)
    })

  /** The error of a field; the one of a refusal has arguments, such as the attempts left. */
  const errorOf = (field: keyof Proof, error: string | undefined) => {
    const code = failure?.code ?? ''
    const refused = form.getFieldState(field).error?.message === `error.${code}`
    return refused ? failureText(failure) : error
  }

  return {
    control: form.control,
    /** The trader has no payment password. */
    unset,
    codeSent,
    sending,
    resendLeft: resend.left,
    sendCode,
    submit,
    refuse,
    errorOf,
    /** A failure that belongs to neither field. */
    failure: failure && !fieldOf[failure.code ?? ''] ? failure : null,
  }
}
