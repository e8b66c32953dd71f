import { type FormEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PictureField } from '@/features/picture/components/picture-field'
import { StageBar } from '@/features/picture/components/stage-bar'
import { usePicture } from '@/features/picture/model/use-picture'
import styles from '@/ui/block.module.css'
import { Button } from '@/ui/button'
import { FailureNote } from '@/ui/failure-note'
import { toast } from '@/ui/toast/toast-store'
import type { Deposit } from '../api/deposits'
import { useSendProviderDepositStatement } from '../model/use-send-provider-deposit-statement'
import own from './provider-deposit-form.module.css'

export type ProviderDepositFormProps = {
  deposit: Deposit
  /** `paid` reports a payment; `appeal` disputes one that was not credited. */
  mode: 'paid' | 'appeal'
}

/** The server accepts 1,000 characters. */
const LONGEST = 1000

const stageTexts = {
  uploading: 'picture.uploading',
  handing_in: 'deposit.proof.handing_in',
  checking: 'deposit.checking',
} as const

/** The statement about a payment over the counter: a picture as proof, and for an appeal a text as well. */
export function ProviderDepositForm({ deposit, mode }: ProviderDepositFormProps) {
  const { t } = useTranslation()
  const id = useId()
  const chosen = usePicture({ pdf: true })
  const [appeal, setAppeal] = useState('')
  const [missing, setMissing] = useState(false)
  const sending = useSendProviderDepositStatement(deposit.rechargeId)
  const proved = deposit.proofAt !== undefined
  const text = mode === 'appeal' ? appeal.trim() : undefined
  const { picture, preparing } = chosen

  const submit = (event: FormEvent) => {
    event.preventDefault()
    setMissing(text === '')
    if (text === '' || sending.isPending || (!picture && !(mode === 'appeal' && proved))) return
    sending.mutate(
      { picture: picture ?? undefined, appeal: text },
      { onSuccess: () => toast.success(t(`deposit.${mode}.done`)) },
    )
  }

  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <section className={styles.block}>
        <h2>{t(`deposit.${mode}.title`)}</h2>
        <p className={styles.text}>{t(`deposit.${mode}.text`)}</p>
        {mode === 'appeal' && (
          <div className={own.words}>
            <label htmlFor={id}>{t('deposit.appeal.label')}</label>
            <textarea
              id={id}
              dir="auto"
              maxLength={LONGEST}
              value={appeal}
              aria-invalid={missing || undefined}
              aria-describedby={missing ? `${id}-problem` : undefined}
              onChange={(event) => {
                setAppeal(event.target.value)
                setMissing(false)
              }}
            />
            {missing && (
              <p id={`${id}-problem`} className={styles.problem} role="alert">
                {t('deposit.appeal.missing')}
              </p>
            )}
          </div>
        )}
        <PictureField
          chosen={chosen}
          facing="environment"
          busy={sending.isPending}
          onPick={() => sending.reset()}
        />
        {sending.error && <FailureNote error={sending.error} />}
      </section>
      <div className={styles.actions}>
        {preparing && <StageBar text={t('picture.preparing')} />}
        {sending.stage && <StageBar text={t(stageTexts[sending.stage])} />}
        <Button
          type="submit"
          variant="primary"
          size="large"
          block
          disabled={preparing || (!picture && !(mode === 'appeal' && proved))}
          busy={sending.isPending}
        >
          {t(`deposit.${mode}.send`)}
        </Button>
      </div>
    </form>
  )
}
