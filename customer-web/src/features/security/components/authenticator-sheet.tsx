import { lazy, Suspense, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { object } from 'zod/mini'
import type { CallFailure, Wire } from '@/api/client'
import { Button } from '@/ui/button'
import { CopyRow } from '@/ui/copy-row'
import { codeDigits, fullCode } from '@/ui/form/code-digits'
import { FormField } from '@/ui/form/form-field'
import { failureText, toFailure } from '@/ui/form/problems'
import { showRefusal } from '@/ui/form/show-refusal'
import { TextField } from '@/ui/form/text-field'
import { useSchemaForm } from '@/ui/form/use-schema-form'
import { Note } from '@/ui/note'
import { Sheet } from '@/ui/sheet/sheet'
import { createAuthenticator, insertAuthenticator } from '../api/factors'
import styles from './security.module.css'
import { SecuritySheet } from './security-sheet'

/** Loads the QR code only when it is needed. */
const Qr = lazy(() => import('@/ui/qr'))

export type AuthenticatorSheetProps = {
  /** An authenticator is in use; the new one takes its place. */
  replaces: boolean
  /** With the recovery codes that come with a first factor. */
  onDone: (recovery: string[]) => void
  onClose: () => void
}

/** Sets up an authenticator app: the proof first, then its secret and a first code. */
export function AuthenticatorSheet({ replaces, onDone, onClose }: AuthenticatorSheetProps) {
  const { t } = useTranslation()
  const [offer, setOffer] = useState<Wire['AuthenticatorOffer'] | null>(null)
  if (offer) return <FirstCode offer={offer} onDone={onDone} onClose={onClose} />
  return (
    <SecuritySheet
      act="set_authenticator"
      title={t('factor.authenticator.set')}
      text={replaces ? t('factor.authenticator.replace') : t('factor.authenticator.before')}
      confirmLabel={t('factor.next')}
      run={async (proof) => setOffer(await createAuthenticator(proof))}
      onClose={onClose}
    />
  )
}

type FirstCodeProps = {
  offer: Wire['AuthenticatorOffer']
  onDone: (recovery: string[]) => void
  onClose: () => void
}

function FirstCode({ offer, onDone, onClose }: FirstCodeProps) {
  const { t } = useTranslation()
  const id = useId()
  const form = useSchemaForm(object({ code: fullCode }), { code: '' })
  const [failure, setFailure] = useState<CallFailure | null>(null)
  const submit = form.handleSubmit(async ({ code }) => {
    setFailure(null)
    try {
      onDone(await insertAuthenticator(code))
    } catch (error) {
      form.setValue('code', '')
      if (!showRefusal(form, error, { 'factor.code_wrong': 'code' })) setFailure(toFailure(error))
    }
  })
  const grouped = offer.secret.replace(/(.{4})(?=.)/g, '$1 ')
  return (
    <Sheet
      open
      title={t('factor.authenticator.set')}
      onClose={onClose}
      footer={
        <>
          <Button size="large" onClick={onClose} disabled={form.formState.isSubmitting}>
            {t('factor.cancel')}
          </Button>
          <Button
            type="submit"
            form={id}
            size="large"
            variant="primary"
            busy={form.formState.isSubmitting}
          >
            {t('factor.authenticator.confirm')}
          </Button>
        </>
      }
    >
      <form id={id} className={styles.sheet} noValidate onSubmit={submit}>
        <p>{t('factor.authenticator.scan')}</p>
        <div className={styles.qr}>
          <Suspense>
            <Qr text={offer.address} label={t('factor.authenticator.qr')} />
          </Suspense>
        </div>
        <dl>
          <CopyRow label={t('factor.authenticator.key')} shown={grouped} text={offer.secret} code />
        </dl>
        <FormField control={form.control} name="code">
          {(field) => (
            <TextField
              label={t('factor.code')}
              inputMode="numeric"
              autoComplete="one-time-code"
              ltr
              {...field}
              onChange={(text) => field.onChange(codeDigits(text))}
              hint={t('factor.code.hint')}
            />
          )}
        </FormField>
        {failure && <Note tone="error">{failureText(failure)}</Note>}
      </form>
    </Sheet>
  )
}
