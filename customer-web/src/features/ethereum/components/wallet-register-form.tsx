import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { object } from 'zod/mini'
import type { Wire } from '@/api/client'
import { EnrolmentFields } from '@/features/account/components/enrolment-fields'
import {
  type EnrolmentControl,
  enrolmentFields,
  startEnrolment,
} from '@/features/account/model/enrolment'
import { currentLanguage } from '@/i18n/i18n'
import { Button } from '@/ui/button'
import styles from '@/ui/form/form.module.css'
import { showRefusal } from '@/ui/form/show-refusal'
import { useSchemaForm } from '@/ui/form/use-schema-form'
import { Note } from '@/ui/note'
import { registerByWallet, type SignedText, type WalletRegistration } from '../api/wallet-login'
import { WalletProblemNote } from './wallet-problem'

export type WalletRegisterFormProps = {
  signed: SignedText
  signAgain: () => Promise<SignedText>
  invitation: string
  termsPath?: string | undefined
  onDone: (session: Wire['Session']) => void
  onStartOver: () => void
}

/** Opens an account with the wallet that signed: the country, and the two checkboxes required by law. */
export function WalletRegisterForm(props: WalletRegisterFormProps) {
  const { signed, signAgain, invitation, termsPath, onDone, onStartOver } = props
  const { t } = useTranslation()
  const form = useSchemaForm(object(enrolmentFields), startEnrolment(invitation))
  /** The text that no request has carried yet. */
  const unused = useRef<SignedText | null>(signed)
  const open = useMutation({
    mutationFn: async (enrolment: Omit<WalletRegistration, keyof SignedText>) => {
      const text = unused.current ?? (await signAgain())
      unused.current = null
      return registerByWallet({ ...text, ...enrolment })
    },
    onSuccess: onDone,
    onError: (error) => showRefusal(form, error),
  })
  const submit = form.handleSubmit(({ adult, terms, country, invitationCode }) =>
    open.mutate({
      country,
      language: currentLanguage().code,
      accepted: adult && terms,
      ...(invitationCode ? { invitationCode } : {}),
    }),
  )
  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      <Note tone="warning">{t('ethereum.open.contact')}</Note>
      <EnrolmentFields
        control={form.control as unknown as EnrolmentControl}
        termsPath={termsPath}
      />
      {open.error && !form.formState.errors.country && <WalletProblemNote error={open.error} />}
      <Button type="submit" variant="primary" size="large" block busy={open.isPending}>
        {t('ethereum.unknown.open')}
      </Button>
      <Button variant="text" block onClick={onStartOver}>
        {t('ethereum.again')}
      </Button>
    </form>
  )
}
