import { useRef, useState } from 'react'
import { minLength, string } from 'zod/mini'
import type { CallFailure, Wire } from '@/api/client'
import { askPasskey, PasskeyCancelled, passkeysSupported } from '@/features/passkey/model/passkey'
import { CODE_LENGTH } from '@/ui/form/code-digits'
import { retryAfterSeconds, toFailure } from '@/ui/form/problems'
import { useCountdown } from '@/ui/form/use-countdown'
import { type ConfirmedAct, createConfirmation, createPasskeyConfirmation } from '../api/factors'
import { useSecurity } from '../api/security'

/** How an act is confirmed: by a code that is sent, a code of the authenticator, or a passkey. */
export type ConfirmMethod = 'sent' | 'authenticator' | 'passkey'

export type Confirm = ReturnType<typeof useConfirm>

type Given = { key: string; validCode: string }

/**
 * The confirmation of one act of the trader: with a second factor, the factor; else a code sent to the contact. `act` is
 * null until it is known. `resolve` turns what was typed into the code that the act's call takes.
 */
export function useConfirm(act: ConfirmedAct | null, send: () => Promise<Wire['CodeSent']>) {
  const security = useSecurity().data
  const passkey = passkeysSupported() && (security?.passkeys ?? 0) > 0
  const authenticator = security?.authenticator === true
  const factor = authenticator || (security?.passkeys ?? 0) > 0
  const [typing, setTyping] = useState(false)
  const method: ConfirmMethod = !factor ? 'sent' : passkey && !typing ? 'passkey' : 'authenticator'
  const [sent, setSent] = useState<{ code: Wire['CodeSent']; act: string } | null>(null)
  const [sending, setSending] = useState(false)
  const [cancelled, setCancelled] = useState(false)
  const resend = useCountdown()
  /** What a factor has given for an act, until it is used: a refusal of another field asks for no second touch. */
  const given = useRef<Given | null>(null)

  const sendCode = async (): Promise<CallFailure | null> => {
    setSending(true)
    try {
      const code = await send()
      setSent({ code, act: JSON.stringify(act) })
      resend.start(code.resendAfter)
      return null
    } catch (error) {
      const failed = toFailure(error)
      if (failed.code !== 'code.too_soon') return failed
      resend.start(retryAfterSeconds(failed))
      return null
    } finally {
      setSending(false)
    }
  }

  const resolve = async (typed: string): Promise<string> => {
    if (method === 'sent' || act === null) return typed
    setCancelled(false)
    const key = JSON.stringify([act, method === 'passkey' ? '' : typed])
    if (given.current?.key === key) return given.current.validCode
    const { validCode, expiresAfter } =
      method === 'passkey'
        ? await createConfirmation({
            act,
            credential: await askPasskey(await createPasskeyConfirmation(act)),
          })
        : await createConfirmation({ act, code: typed })
    given.current = { key, validCode }
    setTimeout(() => forget(), (expiresAfter - 10) * 1000)
    return validCode
  }

  const forget = () => {
    given.current = null
  }

  return {
    method,
    /** The trader has both factors, so that one may be chosen. */
    both: passkey && authenticator,
    choose: (next: 'authenticator' | 'passkey') => setTyping(next === 'authenticator'),
    codeSent: sent?.code ?? null,
    /** The code was sent for another act than the present one. */
    stale: sent !== null && sent.act !== JSON.stringify(act),
    sending,
    resendLeft: resend.left,
    sendCode,
    resolve,
    forget,
    /** Handles a passkey window that was closed; returns whether it was that. */
    closed: (error: unknown) => {
      const was = error instanceof PasskeyCancelled
      if (was) setCancelled(true)
      return was
    },
    cancelled,
  }
}

/** The schema of the code's field; a passkey leaves it empty. */
export function confirmCode(method: ConfirmMethod) {
  return method === 'passkey' ? string() : string().check(minLength(CODE_LENGTH, 'field.code'))
}

/** Maps the refusals of a confirmation to the code's field. */
export const confirmFields = {
  'code.wrong': 'validCode',
  'code.too_many': 'validCode',
  'factor.code_wrong': 'validCode',
  'factor.recovery_no_money': 'validCode',
  'factor.passkey_failed': 'validCode',
  'factor.expired': 'validCode',
} as const
