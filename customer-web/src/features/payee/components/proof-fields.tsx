import { useTranslation } from 'react-i18next'
import { ConfirmField } from '@/features/security/components/confirm-field'
import { DigitsField } from '@/features/security/components/digits-field'
import { Button } from '@/ui/button'
import { FormField } from '@/ui/form/form-field'
import { failureText } from '@/ui/form/problems'
import { Note } from '@/ui/note'
import type { ProofState } from '../model/use-proof'
import styles from './payee.module.css'

export type ProofFieldsProps = {
  proof: ProofState
  /** The path to set a payment password, if that screen exists. */
  paymentPath?: string | undefined
}

/** Payment password, and a code or the second factor. A trader without a payment password gets a link to set one. */
export function ProofFields({ proof, paymentPath }: ProofFieldsProps) {
  const { t } = useTranslation()
  if (proof.unset) {
    return (
      <Note tone="warning">
        {t('payee.proof.unset')}{' '}
        {paymentPath && (
          <Button variant="text" size="small" to={paymentPath}>
            {t('payment_password.first.submit')}
          </Button>
        )}
      </Note>
    )
  }
  const { confirm, failure } = proof
  return (
    <div className={styles.proof}>
      <FormField control={proof.control} name="payPassword">
        {({ error, ...field }) => (
          <DigitsField
            label={t('security.payment')}
            {...field}
            error={proof.errorOf('payPassword', error)}
          />
        )}
      </FormField>
      <FormField control={proof.control} name="validCode">
        {({ error, ...field }) => (
          <ConfirmField
            confirm={confirm}
            field={{ ...field, error: proof.errorOf('validCode', error) }}
            onSend={() => void proof.sendCode()}
          />
        )}
      </FormField>
      {failure && <Note tone="error">{failureText(failure)}</Note>}
    </div>
  )
}
