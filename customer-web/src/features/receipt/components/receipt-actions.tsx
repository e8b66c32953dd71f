import { useTranslation } from 'react-i18next'
import { Button } from '@/ui/button'
import { IconButton } from '@/ui/icon-button'
import { toast } from '@/ui/toast/toast-store'
import { isSealed, type Proof } from '../model/evidence'
import { downloadProof, proofText } from '../model/share'
import { canHash } from '../model/tape'
import styles from './receipt.module.css'

export type ReceiptActionsProps = {
  proof: Proof
  verifying: boolean
  onVerify: () => void
}

/** Takes the proof along, or recomputes it once more. */
export function ReceiptActions({ proof, verifying, onVerify }: ReceiptActionsProps) {
  const { t } = useTranslation()
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(proofText(proof))
      toast.success(t('receipt.copied'))
    } catch {
      toast.error(t('receipt.not_copied'))
    }
  }
  return (
    <div className={styles.actions}>
      <IconButton
        icon="copy"
        size={20}
        strong
        className={styles.action}
        label={t('receipt.copy')}
        onClick={() => void copy()}
      />
      <IconButton
        icon="download"
        size={20}
        strong
        className={styles.action}
        label={t('receipt.download')}
        onClick={() => downloadProof(proof)}
      />
      <Button
        block
        size="large"
        variant="primary"
        busy={verifying}
        disabled={!canHash() || !isSealed(proof.receipt)}
        onClick={onVerify}
      >
        {t('receipt.verify')}
      </Button>
    </div>
  )
}
