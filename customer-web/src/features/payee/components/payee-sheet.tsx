import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { bidiIsolate } from '@/format/bidi-isolate'
import { Button } from '@/ui/button'
import { FailureNote } from '@/ui/failure-note'
import { Sheet } from '@/ui/sheet/sheet'
import { toast } from '@/ui/toast/toast-store'
import { useProof } from '../model/use-proof'
import styles from './payee.module.css'
import { ProofFields } from './proof-fields'

type Proof = { payPassword: string; validCode: string }

export type PayeeSheetProps = {
  act: 'delete' | 'restore'
  id: number
  label: string
  /** The payee's details. */
  children: ReactNode
  /** The success message. */
  done: string
  busy: boolean
  run: (proof: Proof, settled: { onSuccess: () => void; onError: (error: unknown) => void }) => void
  paymentPath?: string | undefined
  onClose: () => void
}

/** Confirms the deletion or restoration of a payee, with the trader's proof. */
export function PayeeSheet(props: PayeeSheetProps) {
  const { act, id, label, children, done, busy, run, paymentPath, onClose } = props
  const { t } = useTranslation()
  const proof = useProof({ act, payeeId: id })
  const [failure, setFailure] = useState<unknown>(null)

  const confirm = () => {
    setFailure(null)
    if (!proof.check()) return
    const { payPassword, validCode } = proof
    run(
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
      title={t(`payee.${act}.title`, { label: bidiIsolate(label) })}
      onClose={onClose}
      footer={
        <>
          <Button size="large" onClick={onClose} disabled={busy}>
            {t(`payee.${act}.keep`)}
          </Button>
          <Button
            size="large"
            variant={act === 'delete' ? 'danger' : 'primary'}
            busy={busy}
            onClick={confirm}
          >
            {t(`payee.${act}.confirm`)}
          </Button>
        </>
      }
    >
      <div className={styles.sheet}>
        {children}
        <p>{t(`payee.${act}.text`)}</p>
        <ProofFields proof={proof} paymentPath={paymentPath} />
        {failure !== null && <FailureNote error={failure} />}
      </div>
    </Sheet>
  )
}
