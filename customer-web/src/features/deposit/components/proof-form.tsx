import { type FormEvent, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { PictureField } from '@/features/picture/components/picture-field'
import { StageBar } from '@/features/picture/components/stage-bar'
import { usePicture } from '@/features/picture/model/use-picture'
import styles from '@/ui/block.module.css'
import { Button } from '@/ui/button'
import { FailureNote } from '@/ui/failure-note'
import { toast } from '@/ui/toast/toast-store'
import type { Deposit } from '../api/deposits'
import { type ProofStage, useSendProof } from '../model/use-send-proof'

export type ProofFormProps = {
  deposit: Deposit
  /** The proof was submitted. */
  onSent: () => void
}

const stageTexts = {
  uploading: 'picture.uploading',
  handing_in: 'deposit.proof.handing_in',
  checking: 'deposit.checking',
} as const satisfies Record<ProofStage, string>

/** Step 3: a picture of the bank's confirmation, by camera or from files. */
export function ProofForm({ deposit, onSent }: ProofFormProps) {
  const { t } = useTranslation()
  const alert = useRef<HTMLDivElement>(null)
  const chosen = usePicture({ pdf: true })
  const { picture, preparing } = chosen
  const sending = useSendProof(deposit.rechargeId)
  const failure = sending.error

  useEffect(() => {
    if (failure) alert.current?.scrollIntoView?.({ block: 'nearest' })
  }, [failure])

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!picture || sending.isPending) return
    sending.mutate(picture, {
      onSuccess: () => {
        toast.success(t('deposit.proof.sent'))
        onSent()
      },
    })
  }

  return (
    <form className={styles.form} onSubmit={submit}>
      <section className={styles.block}>
        <h2>{t('deposit.proof.title')}</h2>
        <p className={styles.text}>{t('deposit.proof.text')}</p>
        <PictureField
          chosen={chosen}
          facing="environment"
          busy={sending.isPending}
          onPick={() => sending.reset()}
        />
        {failure && (
          <div ref={alert}>
            <FailureNote error={failure} />
          </div>
        )}
      </section>
      <div className={styles.actions}>
        {preparing && <StageBar text={t('picture.preparing')} />}
        {sending.stage && <StageBar text={t(stageTexts[sending.stage])} />}
        <Button
          type="submit"
          variant="primary"
          size="large"
          block
          disabled={!picture || preparing}
          busy={sending.isPending}
        >
          {t('deposit.proof.send')}
        </Button>
      </div>
    </form>
  )
}
