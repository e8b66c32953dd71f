import { useState } from 'react'
import type { Wire } from '@/api/client'
import { currentLanguage } from '@/i18n/i18n'
import type { Problems } from '@/ui/form/problems'
import { register, sendRegisterCode } from '../api/sign-up'
import { browserRegion } from './browser-region'
import { useCodeForm } from './use-code-form'

const shown = ['account', 'validCode', 'password', 'country', 'invitationCode']

/** The fields besides contact, code and password. */
export type RegisterDraft = {
  /** ISO code. */
  country: string
  invitation: string
  adult: boolean
  terms: boolean
}

/** Registers an account: requests a code, then submits all fields at once. */
export function useRegister(invitation: string, onDone: (session: Wire['Session']) => void) {
  const form = useCodeForm({ sendTo: sendRegisterCode, shown })
  const [draft, setDraft] = useState<RegisterDraft>(() => ({
    country: browserRegion() ?? '',
    invitation,
    adult: false,
    terms: false,
  }))

  const change = (part: Partial<RegisterDraft>) => setDraft((now) => ({ ...now, ...part }))

  const missing = (): Problems => {
    const found: Problems = {}
    if (draft.country === '') found.country = 'field.choice'
    if (!draft.adult) found.adult = 'field.accepted'
    if (!draft.terms) found.terms = 'field.accepted'
    return found
  }

  const send = async () => {
    const { account, password, code: validCode } = form
    const invitationCode = draft.invitation.trim()
    const session = await register({
      account,
      password,
      validCode,
      country: draft.country,
      language: currentLanguage().code,
      accepted: draft.adult && draft.terms,
      ...(invitationCode ? { invitationCode } : {}),
    })
    onDone(session)
  }

  return { ...form, draft, change, submit: () => form.submit(send, missing()) }
}
