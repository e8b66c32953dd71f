import { useState } from 'react'
import type { CallFailure, Wire } from '@/api/client'
import { currentLanguage } from '@/i18n/i18n'
import { register, sendRegisterCode } from '../api/sign-up'
import { browserRegion } from './browser-region'
import { CODE_LENGTH } from './contact'
import { type Problems, toFailure, waitOf } from './refusal'
import { contactProblem, useContact } from './use-contact'
import { useCountdown } from './use-countdown'

const PASSWORD_MIN = 8
const PASSWORD_MAX = 128

/** What is typed besides the contact. */
export type RegisterDraft = {
  code: string
  password: string
  /** ISO code. */
  country: string
  invitation: string
  adult: boolean
  terms: boolean
}

/** An opening of an account: a code to the address, then everything at once. */
export function useRegister(invitation: string, onDone: (session: Wire['Session']) => void) {
  const { contact, setContact, country, account } = useContact()
  const [draft, setDraft] = useState<RegisterDraft>(() => ({
    code: '',
    password: '',
    country: browserRegion() ?? '',
    invitation,
    adult: false,
    terms: false,
  }))
  const [codeSent, setCodeSent] = useState<(Wire['CodeSent'] & { to: string }) | null>(null)
  const [busy, setBusy] = useState<'register' | 'code' | null>(null)
  const [failure, setFailure] = useState<CallFailure | null>(null)
  const [problems, setProblems] = useState<Problems>({})
  const [waitsFor, setWaitsFor] = useState('')
  const resend = useCountdown()

  const change = (part: Partial<RegisterDraft>) => setDraft((now) => ({ ...now, ...part }))

  const refuse = (error: unknown) => {
    const failed = toFailure(error)
    switch (failed.code) {
      case 'code.wrong':
      case 'code.too_many':
        if (failed.code === 'code.wrong') change({ code: '' })
        setProblems({ validCode: `error.${failed.code}` })
        return
      case 'code.too_soon':
        resend.start(waitOf(failed))
        setWaitsFor(account)
        return
      default:
        setProblems(failed.fields)
        // What is said at a field need not be said again below the form.
        setFailure(Object.keys(failed.fields).some(isShown) ? null : failed)
    }
  }

  const begin = (act: 'register' | 'code') => {
    setBusy(act)
    setFailure(null)
    setProblems({})
  }

  /** Resolves with whether a code is on its way. */
  const sendCode = async (): Promise<boolean> => {
    const atContact = contactProblem(contact, account)
    if (atContact) {
      setProblems({ account: atContact })
      return false
    }
    begin('code')
    try {
      const sent = await sendRegisterCode(account)
      setCodeSent({ ...sent, to: account })
      setWaitsFor(account)
      resend.start(sent.resendAfter)
      return true
    } catch (error) {
      refuse(error)
      return false
    } finally {
      setBusy(null)
    }
  }

  const missing = (): Problems => {
    const found: Problems = {}
    const atContact = contactProblem(contact, account)
    const length = Array.from(draft.password).length
    if (atContact) found.account = atContact
    if (draft.code.length < CODE_LENGTH) found.validCode = 'field.code'
    if (length < PASSWORD_MIN) found.password = 'field.password_short'
    if (length > PASSWORD_MAX) found.password = 'field.password_long'
    if (draft.country === '') found.country = 'field.choice'
    if (!draft.adult) found.adult = 'field.accepted'
    if (!draft.terms) found.terms = 'field.accepted'
    return found
  }

  const submit = async () => {
    const found = missing()
    if (Object.keys(found).length > 0) {
      setFailure(null)
      setProblems(found)
      return
    }
    begin('register')
    const invitationCode = draft.invitation.trim()
    try {
      const session = await register({
        account,
        password: draft.password,
        validCode: draft.code,
        country: draft.country,
        language: currentLanguage().code,
        accepted: draft.adult && draft.terms,
        ...(invitationCode ? { invitationCode } : {}),
      })
      onDone(session)
    } catch (error) {
      refuse(error)
    } finally {
      setBusy(null)
    }
  }

  return {
    contact,
    setContact,
    country,
    account,
    draft,
    change,
    codeSent: codeSent?.to === account ? codeSent : null,
    busy,
    failure,
    problems,
    resendLeft: waitsFor === account ? resend.left : 0,
    sendCode,
    submit,
  }
}

const shown = ['account', 'validCode', 'password', 'country', 'invitationCode']

function isShown(field: string): boolean {
  return shown.includes(field)
}
