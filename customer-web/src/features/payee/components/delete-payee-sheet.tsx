import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FailureNote } from '@/features/deposit/components/failure-note'
import { isolate } from '@/features/deposit/model/isolate'
import { Button } from '@/ui/button'
import { Sheet } from '@/ui/sheet/sheet'
import { toast } from '@/ui/toast/toast-store'
import { useProof } from '../model/use-proof'
import styles from './payee.module.css'
import { ProofFields } from './proof-fields'

type Proof = { payPassword: string; validCode: string }

export type DeletePayeeSheetProps = {
  label: string
  /** Where money went. */
  children: ReactNode
  /** What is said when it is gone. */
  done: string
  busy: boolean
  remove: (
    proof: Proof,
    settled: { onSuccess: () => void; onError: (error: unknown) => void },
  ) => void
  paymentPath?: string | undefined
  onClose: () => void
}

/** Asks before a payee is deleted for good, with the proof that this needs. */
export function DeletePayeeSheet(props: DeletePayeeSheetProps) {
  const { label, children, done, busy, remove, paymentPath, onClose } = props
  const { t } = useTranslation()
  const proof = useProof()
  const [failure, setFailure] = useState<unknown>(null)

  const confirm = () => {
    setFailure(null)
    if (!proof.check()) return
    const { payPassword, validCode } = proof
    remove(
      { payPassword, validCode },
      {
        onSuccess: () => {
          toast.success(done)
          onClose()
        },
        onError: (error) => {
          if (!proof.refuse(error)) setFailure(error)
        },
      },
    )
  }

  return (
    <Sheet
      open
      title={t('payee.delete.title', { label: isolate(label) })}
      onClose={onClose}
      footer={
        <>
          <Button size="large" onClick={onClose} disabled={busy}>
            {t('payee.delete.keep')}
          </Button>
          <Button size="large" variant="danger" busy={busy} onClick={confirm}>
            {t('payee.delete.confirm')}
          </Button>
        </>
      }
    >
      <div className={styles.sheet}>
        {children}
        <p>{t('payee.delete.text')}</p>
        <ProofFields proof={proof} paymentPath={paymentPath} />
        {failure !== null && <FailureNote error={failure} />}
      </div>
    </Sheet>
  )
}
