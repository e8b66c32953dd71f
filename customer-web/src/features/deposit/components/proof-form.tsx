import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useDesktop } from '@/theme/use-media'
import { Button } from '@/ui/button'
import { Icon } from '@/ui/icons/icon'
import { Note } from '@/ui/note'
import { toast } from '@/ui/toast/toast-store'
import type { Deposit } from '../api/deposits'
import { PROOF_ACCEPT } from '../model/proof-picture'
import { usePicture } from '../model/use-picture'
import { useSendProof } from '../model/use-send-proof'
import styles from './deposit.module.css'
import { FailureNote } from './failure-note'
import proofStyles from './proof-form.module.css'
import { ProofPreview } from './proof-preview'

export type ProofFormProps = {
  deposit: Deposit
  /** The proof was handed in. */
  onSent: () => void
}

/** Step 3: a picture of the bank's confirmation, by camera or from the files. */
export function ProofForm({ deposit, onSent }: ProofFormProps) {
  const { t } = useTranslation()
  const desktop = useDesktop()
  const camera = useRef<HTMLInputElement>(null)
  const files = useRef<HTMLInputElement>(null)
  const alert = useRef<HTMLDivElement>(null)
  const { picture, problem, preparing, choose } = usePicture()
  const sending = useSendProof(deposit.rechargeId)
  const [damaged, setDamaged] = useState(false)
  const failure = sending.error

  useEffect(() => {
    if (failure) alert.current?.scrollIntoView?.({ block: 'nearest' })
  }, [failure])

  const pick = (file: File | undefined) => {
    if (!file) return
    sending.reset()
    setDamaged(false)
    void choose(file)
  }

  const input = (kind: 'camera' | 'file') => (
    <input
      ref={kind === 'camera' ? camera : files}
      type="file"
      hidden
      accept={PROOF_ACCEPT}
      capture={kind === 'camera' ? 'environment' : undefined}
      aria-label={t(`deposit.proof.${kind}`)}
      onChange={(event) => {
        pick(event.target.files?.[0])
        // The same file may be chosen again.
        event.target.value = ''
      }}
    />
  )

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!picture || damaged || sending.isPending) return
    sending.mutate(picture, {
      onSuccess: () => {
        toast.success(t('deposit.proof.sent'))
        onSent()
      },
    })
  }

  const busy = preparing || sending.isPending
  const stage = preparing ? 'preparing' : sending.stage
  return (
    <form className={styles.form} onSubmit={submit}>
      <section className={styles.block}>
        <h2>{t('deposit.proof.title')}</h2>
        <p className={styles.text}>{t('deposit.proof.text')}</p>
        {picture && !damaged ? (
          <ProofPreview picture={picture} onDamaged={() => setDamaged(true)} />
        ) : (
          <div className={proofStyles.empty} aria-hidden>
            <Icon name="image" size={28} />
          </div>
        )}
        {input('camera')}
        {input('file')}
        <div className={proofStyles.sources}>
          {!desktop && (
            <Button variant="quiet" disabled={busy} onClick={() => camera.current?.click()}>
              <Icon name="camera" size={20} />
              {t('deposit.proof.camera')}
            </Button>
          )}
          <Button variant="quiet" disabled={busy} onClick={() => files.current?.click()}>
            <Icon name="image" size={20} />
            {t(picture ? 'deposit.proof.another' : 'deposit.proof.file')}
          </Button>
        </div>
        <p className={styles.small}>{t('deposit.proof.formats')}</p>
        {problem && <Note tone="error">{t(`deposit.proof.problem.${problem}`)}</Note>}
        {damaged && <Note tone="error">{t('deposit.proof.unread')}</Note>}
        {failure && (
          <div ref={alert}>
            <FailureNote error={failure} />
          </div>
        )}
      </section>
      <div className={styles.actions}>
        {stage && (
          <div className={proofStyles.stage} role="status">
            <span className={proofStyles.bar} aria-hidden />
            {t(stage === 'checking' ? 'deposit.checking' : `deposit.proof.${stage}`)}
          </div>
        )}
        <Button
          type="submit"
          variant="primary"
          size="large"
          block
          disabled={!picture || damaged || preparing}
          busy={sending.isPending}
        >
          {t('deposit.proof.send')}
        </Button>
      </div>
    </form>
  )
}
