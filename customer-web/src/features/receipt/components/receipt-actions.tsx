import { useTranslation } from 'react-i18next'
import { Button } from '@/ui/button'
import { IconButton } from '@/ui/icon-button'
import { toast } from '@/ui/toast/toast-store'
import { type AnyReceipt, isSealed } from '../model/evidence'
import { downloadProof, proofText } from '../model/share'
import { canHash } from '../model/tape'
import styles from './receipt.module.css'

export type ReceiptActionsProps = {
  receipt: AnyReceipt
  verifying: boolean
  onVerify: () => void
}

/** Downloads the receipt or checks it again. */
export function ReceiptActions({ receipt, verifying, onVerify }: ReceiptActionsProps) {
  const { t } = useTranslation()
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(proofText(receipt))
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
        disabled={!isSealed(receipt)}
        onClick={() => void copy()}
      />
      <IconButton
        icon="download"
        size={20}
        strong
        className={styles.action}
        label={t('receipt.download')}
        disabled={!isSealed(receipt)}
        onClick={() => downloadProof(receipt)}
      />
      <Button
        block
        size="large"
        variant="primary"
        busy={verifying}
        disabled={!canHash() || !isSealed(receipt)}
        onClick={onVerify}
      >
        {t('receipt.verify')}
      </Button>
    </div>
  )
}
