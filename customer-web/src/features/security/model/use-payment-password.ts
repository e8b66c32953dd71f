import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { minLength, object, type output, refine, string } from 'zod/mini'
import type { CallFailure } from '@/api/client'
import { fullCode } from '@/ui/form/code-digits'
import { retryAfterSeconds, toFailure } from '@/ui/form/problems'
import { showRefusal } from '@/ui/form/show-refusal'
import { useCountdown } from '@/ui/form/use-countdown'
import { useSchemaForm } from '@/ui/form/use-schema-form'
import {
  resetPaymentPassword,
  type Security,
  securityQuery,
  sendPaymentPasswordCode,
  updatePaymentPassword,
} from '../api/security'
import { newPaymentDigits, paymentDigits } from './payment-digits'

/** Set the first one, change it with the old one, or replace a forgotten one. */
export type PaymentPasswordAct = 'first' | 'change' | 'forgotten'

const empty = { password: '', oldPassword: '', newPassword: '', repeat: '', validCode: '' }

const required = string().check(minLength(1, 'field.required'))

const schemaOf = (act: PaymentPasswordAct) =>
  object({
    password: act === 'change' ? string() : required,
    oldPassword: act === 'change' ? paymentDigits : string(),
    newPassword: newPaymentDigits,
    repeat: string(),
    validCode: fullCode,
  }).check(
    refine(({ oldPassword, newPassword }) => oldPassword !== newPassword, {
      path: ['newPassword'],
      error: 'field.payment_same',
    }),
    refine(({ newPassword, repeat }) => newPassword === repeat, {
      path: ['repeat'],
      error: 'field.payment_repeat',
    }),
  )

type Sent = output<ReturnType<typeof schemaOf>>

/** Maps a refusal's code to its field. */
const fieldOf: Record<string, keyof Sent> = {
  'login.password_wrong': 'password',
  'payment_password.wrong': 'oldPassword',
  'payment_password.missing': 'oldPassword',
  'code.wrong': 'validCode',
  'code.too_many': 'validCode',
}

function sendAll(
  act: PaymentPasswordAct,
  { password, oldPassword, newPassword, validCode }: Sent,
): Promise<Security> {
  if (act === 'change') return updatePaymentPassword({ oldPassword, newPassword, validCode })
  const body = { password, newPassword, validCode }
  return act === 'first' ? updatePaymentPassword(body) : resetPaymentPassword(body)
}

/** A new payment password: requests a code, then submits all fields at once. */
export function usePaymentPassword(act: PaymentPasswordAct, onDone: () => void) {
  const client = useQueryClient()
  const form = useSchemaForm(schemaOf(act), empty)
  const [failure, setFailure] = useState<CallFailure | null>(null)
  const [atField, setAtField] = useState(false)
  const resend = useCountdown()

  const refuse = (error: unknown) => {
    const failed = toFailure(error)
    if (failed.code?.startsWith('payment_password.')) {
      void client.invalidateQueries({ queryKey: securityQuery.queryKey })
    }
    if (failed.code === 'code.too_soon') {
      resend.start(retryAfterSeconds(failed))
      return
    }
    if (failed.code === 'code.wrong') form.setValue('validCode', '')
    setAtField(showRefusal(form, error, fieldOf))
    setFailure(failed)
  }

  const code = useMutation({
    mutationFn: sendPaymentPasswordCode,
    onSuccess: ({ resendAfter }) => {
      resend.start(resendAfter)
      form.setFocus('validCode')
    },
    onError: refuse,
  })

  const sendCode = () => {
    setFailure(null)
    form.clearErrors()
    code.mutate()
  }

  const submit = (event: FormEvent) => {
    setFailure(null)
    return form.handleSubmit(async (sent) => {
      if (code.isPending) return
      try {
        const security = await sendAll(act, sent)
        onDone()
        client.setQueryData(securityQuery.queryKey, security)
      } catch (error) {
        refuse(error)
      }
    })(event)
  }

  return {
    control: form.control,
    codeSent: code.data,
    sending: code.isPending,
    submitting: form.formState.isSubmitting,
    /** The values that a refusal at a field names. */
    args: failure?.args,
    /** A failure that belongs to no field, shown below the form. */
    failure: atField ? null : failure,
    resendLeft: resend.left,
    sendCode,
    submit,
  }
}
