import { type FormEvent, useState } from 'react'
import { minLength, object, string } from 'zod/mini'
import type { CallFailure } from '@/api/client'
import { PasskeyKnown } from '@/features/passkey/model/passkey'
import { failureText, toFailure } from '@/ui/form/problems'
import { showRefusal } from '@/ui/form/show-refusal'
import { useSchemaForm } from '@/ui/form/use-schema-form'
import { type SecurityAct, type SecurityProof, sendSecurityCode } from '../api/factors'
import { confirmCode, confirmFields, useConfirm } from './use-confirm'

const fieldOf = { 'login.password_wrong': 'password', ...confirmFields } as const

/**
 * The proof that a change of what guards the account asks for: the log-in password, and a code or the second factor.
 * `run` makes the change; its own refusals stay for the caller.
 */
export function useSecurityProof(act: SecurityAct, run: (proof: SecurityProof) => Promise<void>) {
  const confirm = useConfirm({ security: act }, () => sendSecurityCode(act))
  const form = useSchemaForm(
    object({
      password: string().check(minLength(1, 'field.required')),
      validCode: confirmCode(confirm.method),
    }),
    { password: '', validCode: '' },
  )
  const [failure, setFailure] = useState<CallFailure | null>(null)
  const [known, setKnown] = useState(false)

  const refuse = (error: unknown) => {
    if (confirm.closed(error)) return
    if (error instanceof PasskeyKnown) {
      setKnown(true)
      return
    }
    const failed = toFailure(error)
    if (failed.code && failed.code in confirmFields) {
      confirm.forget()
      form.setValue('validCode', '')
    }
    if (!showRefusal(form, error, fieldOf)) setFailure(failed)
  }

  const sendCode = async () => {
    setFailure(null)
    form.clearErrors('validCode')
    const failed = await confirm.sendCode()
    if (failed) refuse(failed)
    else form.setFocus('validCode')
  }

  const submit = (event: FormEvent) => {
    setFailure(null)
    setKnown(false)
    return form.handleSubmit(async ({ password, validCode }) => {
      if (confirm.sending) return
      try {
        await run({ password, validCode: await confirm.resolve(validCode) })
      } catch (error) {
        refuse(error)
      }
    })(event)
  }

  return {
    control: form.control,
    confirm,
    sendCode,
    submit,
    submitting: form.formState.isSubmitting,
    /** A failure that belongs to no field. */
    failure: failure && failureText(failure),
    /** The browser already has a passkey of the account. */
    known,
  }
}

export type SecurityProofState = ReturnType<typeof useSecurityProof>
