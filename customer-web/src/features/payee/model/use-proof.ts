import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { minLength, string } from 'zod/mini'
import type { CallFailure } from '@/api/client'
import { securityQuery, useSecurity } from '@/features/security/api/security'
import { confirmFields, useConfirm } from '@/features/security/model/use-confirm'
import { CODE_LENGTH } from '@/ui/form/code-digits'
import { failureText, toFailure } from '@/ui/form/problems'
import type { SchemaForm } from '@/ui/form/use-schema-form'
import { type MoneyOut, sendMoneyOutCode } from '../api/writes'

/** The proof's fields, for the schema of a form. A passkey leaves the code empty, so useProof checks it. */
export const proofFields = {
  payPassword: string().check(minLength(CODE_LENGTH, 'field.payment_digits')),
  validCode: string(),
}

export const emptyProof = { payPassword: '', validCode: '' }

export type Proof = typeof emptyProof

/** Maps a refusal's code to its field. */
const fieldOf: Record<string, keyof Proof> = {
  'payment_password.wrong': 'payPassword',
  'payment_password.missing': 'payPassword',
  'payment_password.locked': 'payPassword',
  ...confirmFields,
}

export type ProofState = Pick<
  ReturnType<typeof useProof>,
  'control' | 'unset' | 'confirm' | 'sendCode' | 'failure' | 'errorOf'
>

/**
 * The trader's proof in a form for a payment or a payee: the payment password, and a code sent to their contact for
 * this action or their second factor. `act` is null until the action is known.
 */
export function useProof<Values extends Proof, Sent>(
  whole: SchemaForm<Values, Sent>,
  act: MoneyOut | null,
) {
  const client = useQueryClient()
  // The two fields are handled alike, whatever else the form has.
  const form = whole as unknown as SchemaForm<Proof, unknown>
  const unset = useSecurity().data?.payPasswordSet === false
  const confirm = useConfirm(act && { moneyOut: act }, () => sendMoneyOutCode(act as MoneyOut))
  const [failure, setFailure] = useState<CallFailure | null>(null)

  const mark = (field: keyof Proof, message: string) =>
    form.setError(field, { type: 'server', message }, { shouldFocus: true })

  /** Shows a refusal that is about the proof; returns whether it was. */
  const refuse = (error: unknown): boolean => {
    const failed = toFailure(error)
    const code = failed.code ?? ''
    if (confirm.closed(error)) return true
    const field = fieldOf[code]
    if (code.startsWith('payment_password.')) {
      void client.invalidateQueries({ queryKey: securityQuery.queryKey })
    }
    if (!field) return false
    if (field === 'validCode') {
      confirm.forget()
      form.setValue('validCode', '')
    }
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
    const failed = await confirm.sendCode()
    if (failed && !refuse(failed)) setFailure(failed)
  }

  /** Submits the form if its values are valid and this action is confirmed. */
  const submit = (send: (values: Sent) => Promise<void> | void) =>
    whole.handleSubmit(async (values) => {
      setFailure(null)
      const typed = form.getValues('validCode')
      if (confirm.method !== 'passkey' && typed.length < CODE_LENGTH) {
        mark('validCode', 'field.code')
        return
      }
      if (confirm.stale) {
        mark('validCode', 'field.code_stale')
        return
      }
      try {
        const validCode = await confirm.resolve(typed)
        await send({ ...values, validCode })
      } catch (error) {
        if (!refuse(error)) setFailure(toFailure(error))
      }
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
    confirm,
    sendCode,
    submit,
    refuse,
    errorOf,
    /** A failure that belongs to neither field. */
    failure: failure && !fieldOf[failure.code ?? ''] ? failure : null,
  }
}
