import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Wire } from '@/api/client'
import { Button } from '@/ui/button'
import { codeDigits } from '@/ui/form/code-digits'
import styles from '@/ui/form/form.module.css'
import { FormField } from '@/ui/form/form-field'
import { TextField } from '@/ui/form/text-field'
import type { useLogin } from '../model/use-login'
import { PasskeyButton } from './passkey-button'

export type FactorStepProps = {
  form: Pick<ReturnType<typeof useLogin>, 'factors' | 'factor' | 'submitting'>
  onDone: (session: Wire['Session']) => void
}

const LONGEST_RECOVERY_CODE = 24

/** The second factor of a log-in: a passkey, a code of the authenticator, or a recovery code for a lost one. */
export function FactorStep({ form, onDone }: FactorStepProps) {
  const { t } = useTranslation()
  const [lost, setLost] = useState(false)
  const { authenticator = false, passkeys = false } = form.factors ?? {}
  const typing = lost || authenticator
  return (
    <>
      <p className={styles.lead}>{lost ? t('login.factor.lost') : t('login.factor.why')}</p>
      {passkeys && !lost && <PasskeyButton onDone={onDone} primary={!authenticator} />}
      {typing && (
        <FormField control={form.factor.control} name="factorCode">
          {(field) => (
            <TextField
              key={String(lost)}
              label={lost ? t('factor.recovery.code') : t('factor.code')}
              inputMode={lost ? 'text' : 'numeric'}
              autoComplete="one-time-code"
              ltr
              autoFocus
              maxLength={lost ? LONGEST_RECOVERY_CODE : 6}
              {...field}
              onChange={(text) => field.onChange(lost ? text : codeDigits(text))}
              hint={lost ? t('login.factor.lost.hint') : t('factor.code.hint')}
            />
          )}
        </FormField>
      )}
      {typing && (
        <Button type="submit" variant="primary" size="large" block busy={form.submitting}>
          {t('login.confirm')}
        </Button>
      )}
      <Button
        variant="text"
        block
        onClick={() => {
          form.factor.reset()
          setLost(!lost)
        }}
      >
        {lost ? t('login.factor.found') : t('login.factor.lose')}
      </Button>
    </>
  )
}
