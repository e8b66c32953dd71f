import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { minLength, object, type output, refine, string } from 'zod/mini'
import type { CallFailure } from '@/api/client'
import { toFailure } from '@/ui/form/problems'
import { showRefusal } from '@/ui/form/show-refusal'
import { useSchemaForm } from '@/ui/form/use-schema-form'
import {
  resetPaymentPassword,
  type Security,
  securityQuery,
  sendPaymentPasswordCode,
  updatePaymentPassword,
} from '../api/security'
import { newPaymentDigits, paymentDigits } from './payment-digits'
import { type ConfirmMethod, confirmCode, confirmFields, useConfirm } from './use-confirm'

/** Set the first one, change it with the old one, or replace a forgotten one. */
export type PaymentPasswordAct = 'first' | 'change' | 'forgotten'

const empty = { password: '', oldPassword: '', newPassword: '', repeat: '', validCode: '' }

const required = string().check(minLength(1, 'field.required'))

const schemaOf = (act: PaymentPasswordAct, method: ConfirmMethod) =>
  object({
    password: act === 'change' ? string() : required,
    oldPassword: act === 'change' ? paymentDigits : string(),
    newPassword: newPaymentDigits,
    repeat: string(),
    validCode: confirmCode(method),
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
  ...confirmFields,
}

function sendAll(
  act: PaymentPasswordAct,
  { password, oldPassword, newPassword, validCode }: Sent,
): Promise<Security> {
  if (act === 'change') return updatePaymentPassword({ oldPassword, newPassword, validCode })
  const body = { password, newPassword, validCode }
  return act === 'first' ? updatePaymentPassword(body) : resetPaymentPassword(body)
}

/** A new payment password: confirmed by a code or the second factor, all fields at once. */
export function usePaymentPassword(act: PaymentPasswordAct, onDone: () => void) {
  const client = useQueryClient()
  const confirm = useConfirm({ newPayPassword: true }, sendPaymentPasswordCode)
  const form = useSchemaForm(schemaOf(act, confirm.method), empty)
  const [failure, setFailure] = useState<CallFailure | null>(null)
  const [atField, setAtField] = useState(false)

  const refuse = (error: unknown) => {
    const failed = toFailure(error)
    if (failed.code?.startsWith('payment_password.')) {
      void client.invalidateQueries({ queryKey: securityQuery.queryKey })
    }
    if (confirm.closed(error)) return
    if (failed.code && failed.code in confirmFields) {
      confirm.forget()
      form.setValue('validCode', '')
    }
    setAtField(showRefusal(form, error, fieldOf))
    setFailure(failed)
  }

  const sendCode = async () => {
    setFailure(null)
    form.clearErrors()
    const failed = await confirm.sendCode()
    if (failed) refuse(failed)
    else form.setFocus('validCode')
  }

  const submit = (event: FormEvent) => {
    setFailure(null)
    return form.handleSubmit(async (sent) => {
      if (confirm.sending) return
      try {
        const validCode = await confirm.resolve(sent.validCode)
        const security = await sendAll(act, { ...sent, validCode })
        onDone()
        client.setQueryData(securityQuery.queryKey, security)
      } catch (error) {
        refuse(error)
      }
    })(event)
  }

  return {
    control: form.control,
    confirm,
    submitting: form.formState.isSubmitting,
    /** The values that a refusal at a field names. */
    args: failure?.args,
    /** A failure that belongs to no field, shown below the form. */
    failure: atField ? null : failure,
    sendCode,
    submit,
  }
}
