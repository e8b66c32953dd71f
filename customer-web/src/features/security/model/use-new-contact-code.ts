import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { CallFailure } from '@/api/client'
import { retryAfterSeconds, toFailure } from '@/ui/form/problems'
import { useCountdown } from '@/ui/form/use-countdown'
import { sendContactCode } from '../api/guard'

export type NewContactCodeOptions = {
  /** Shows what is wrong with the contact; whether it is complete. */
  validate: () => Promise<boolean>
  /** Shows a refusal at a field; whether it did. */
  refuse: (error: unknown) => boolean
  sent: () => void
}

/** The code to a new contact, which is undefined while it is incomplete. */
export function useNewContactCode(
  contact: string | undefined,
  { validate, refuse, sent }: NewContactCodeOptions,
) {
  const [failure, setFailure] = useState<CallFailure | null>(null)
  const resend = useCountdown()
  const code = useMutation({
    mutationFn: sendContactCode,
    onMutate: () => resend.start(0),
    onSuccess: ({ resendAfter }) => {
      resend.start(resendAfter)
      sent()
    },
    onError: (error) => {
      const failed = toFailure(error)
      if (failed.code === 'code.too_soon') resend.start(retryAfterSeconds(failed))
      else if (!refuse(error)) setFailure(failed)
    },
  })
  const toContact = code.variables === contact
  return {
    /** The code that was sent to the contact as typed. */
    codeSent: toContact ? code.data : undefined,
    sending: code.isPending,
    wait: toContact ? resend.left : 0,
    /** A failure that belongs to no field. */
    failure,
    send: async () => {
      setFailure(null)
      if ((await validate()) && contact !== undefined) code.mutate(contact)
    },
  }
}
