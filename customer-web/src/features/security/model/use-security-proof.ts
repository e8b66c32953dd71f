import { type FormEvent, useState } from 'react'
import { minLength, string } from 'zod/mini'
import type { CallFailure } from '@/api/client'
import { PasskeyKnown } from '@/features/passkey/model/passkey'
import { failureText, toFailure } from '@/ui/form/problems'
import { showRefusal } from '@/ui/form/show-refusal'
import type { SchemaForm } from '@/ui/form/use-schema-form'
import { type SecurityAct, type SecurityProof, sendSecurityCode } from '../api/factors'
import {
  type Confirm,
  type ConfirmMethod,
  confirmCode,
  confirmFields,
  useConfirm,
} from './use-confirm'

export const emptySecurityProof: SecurityProof = { password: '', validCode: '' }

/** The confirmation of a change of what guards the account. */
export function useSecurityConfirm(act: SecurityAct): Confirm {
  return useConfirm({ security: act }, () => sendSecurityCode(act))
}

/** The fields of the proof, for the schema of a form. */
export function securityFields(method: ConfirmMethod) {
  return {
    password: string().check(minLength(1, 'field.required')),
    validCode: confirmCode(method),
  }
}

const proofFields = { 'login.password_wrong': 'password', ...confirmFields } as const

/**
 * The proof that a change of what guards the account asks for, in a form: the log-in password, and a code or the second
 * factor. `run` makes the change; `fieldOf` names the fields of its own refusals.
 */
export function useSecurityProof<Values extends SecurityProof, Sent extends SecurityProof>(
  whole: SchemaForm<Values, Sent>,
  confirm: Confirm,
  run: (sent: Sent) => Promise<void>,
  fieldOf: Record<string, string> = {},
) {
  // The two fields are handled alike, whatever else the form has.
  const form = whole as unknown as SchemaForm<SecurityProof, unknown>
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
    const fields = { ...proofFields, ...fieldOf } as typeof proofFields
    if (!showRefusal(form, error, fields)) setFailure(failed)
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
    return whole.handleSubmit(async (sent) => {
      if (confirm.sending) return
      try {
        await run({ ...sent, validCode: await confirm.resolve(sent.validCode) })
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
    refuse,
    submitting: whole.formState.isSubmitting,
    /** A failure that belongs to no field. */
    failure: failure && failureText(failure),
    /** The browser already has a passkey of the account. */
    known,
  }
}

export type SecurityProofState = Pick<
  ReturnType<typeof useSecurityProof>,
  'control' | 'confirm' | 'sendCode' | 'failure' | 'known'
>
