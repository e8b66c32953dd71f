import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { refine, string } from 'zod/mini'
import type { CallFailure, Wire } from '@/api/client'
import { fullCode } from '@/ui/form/code-digits'
import { retryAfterSeconds, toFailure } from '@/ui/form/problems'
import { showRefusal } from '@/ui/form/show-refusal'
import { useCountdown } from '@/ui/form/use-countdown'
import type { SchemaForm } from '@/ui/form/use-schema-form'
import type { Contact } from './contact'
import type { ContactSchema } from './use-contact-schema'
import { useSolutions } from './use-solutions'

const PASSWORD_MIN = 8
const PASSWORD_MAX = 128

function lengthOf(password: string): number {
  return Array.from(password).length
}

/** The code and the new password, for the schema of a form. */
export const codeFields = {
  validCode: fullCode,
  password: string().check(
    refine((password) => lengthOf(password) >= PASSWORD_MIN, 'field.password_short'),
    refine((password) => lengthOf(password) <= PASSWORD_MAX, 'field.password_long'),
  ),
}

export const emptyCodeFields = { validCode: '', password: '' }

type CodeValues = typeof emptyCodeFields & { account: Contact }

export type CodeFormOptions<Sent> = {
  contactSchema: ContactSchema
  /** Sends the code to an account, with the solution of a challenge. */
  sendTo: (account: string, solution: string) => Promise<Wire['CodeSent']>
  /** Sends the whole form. */
  send: (sent: Sent) => Promise<void>
}

export type CodeForm = ReturnType<typeof useCodeForm>

/** The shared part of registration and forgotten password: the code for a contact, and the refusals. */
export function useCodeForm<Values extends CodeValues, Sent>(
  whole: SchemaForm<Values, Sent>,
  { contactSchema, sendTo, send }: CodeFormOptions<Sent>,
) {
  // The shared fields are handled alike, whatever else the form has.
  const form = whole as unknown as SchemaForm<CodeValues, unknown>
  const [failure, setFailure] = useState<CallFailure | null>(null)
  const resend = useCountdown()
  const solutions = useSolutions({ ahead: true })
  const account = contactSchema.safeParse(form.watch('account')).data

  const refuse = (error: unknown) => {
    const failed = toFailure(error)
    if (failed.code === 'code.too_soon') {
      resend.start(retryAfterSeconds(failed))
      return
    }
    if (failed.code === 'code.wrong') form.setValue('validCode', '')
    const atField = showRefusal(form, error, {
      'code.wrong': 'validCode',
      'code.too_many': 'validCode',
    })
    setFailure(atField ? null : failed)
  }

  const code = useMutation({
    mutationFn: (to: string) => solutions.send((solution) => sendTo(to, solution)),
    onMutate: () => resend.start(0),
    onSuccess: ({ resendAfter }) => {
      resend.start(resendAfter)
      form.setFocus('validCode')
    },
    onError: refuse,
  })

  const sendCode = async () => {
    setFailure(null)
    form.clearErrors()
    if (await form.trigger('account', { shouldFocus: true })) code.mutate(account ?? '')
  }

  const submit = (event: FormEvent) => {
    setFailure(null)
    return whole.handleSubmit(async (sent) => {
      if (!code.isPending) await send(sent).catch(refuse)
    })(event)
  }

  const toAccount = code.variables === account
  return {
    control: form.control,
    /** The code that was sent to the account as typed. */
    codeSent: toAccount ? code.data : undefined,
    resendLeft: toAccount ? resend.left : 0,
    sending: code.isPending,
    submitting: whole.formState.isSubmitting,
    failure,
    sendCode,
    /** Prepares a new solution if the last one was used or has expired; called when the form gets the focus. */
    prepare: () => solutions.prepare(),
    submit,
  }
}
