import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { reasonOf } from '@/api/reason'
import { useIsDemo } from '@/features/session/model/session-store'
import { ErrorBlock } from '@/ui/error-block'
import { Sheet } from '@/ui/sheet/sheet'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { Tag } from '@/ui/tag'
import { useReceipt, useVerdict } from '../api/receipt'
import { openingFill } from '../model/verify'
import { ChainSection } from './chain-section'
import { QuoteSection } from './quote-section'
import styles from './receipt.module.css'
import { ReceiptActions } from './receipt-actions'
import { ReceiptHead } from './receipt-head'
import { RuleSection } from './rule-section'
import { SumsSection } from './sums-section'
import { VerdictNote } from './verdict-note'

export type ReceiptSheetProps = { fillId: number; onClose: () => void }

/** The proof of a fill: the verdict first, then the quote, the rule, the sums and the chain behind it. */
export function ReceiptSheet({ fillId, onClose }: ReceiptSheetProps) {
  const { t } = useTranslation()
  const demo = useIsDemo()
  const [shown, setShown] = useState(fillId)
  const { data: receipt, error, refetch, isFetching } = useReceipt(shown)
  const verdict = useVerdict(receipt)
  const opening = receipt && openingFill(receipt)
  return (
    <Sheet
      open
      width={560}
      onClose={onClose}
      title={
        <span className={styles.title}>
          {t('receipt.title')}
          {demo && <Tag tone="demo">{t('shell.demo.tag')}</Tag>}
        </span>
      }
      footer={
        receipt && (
          <ReceiptActions
            receipt={receipt}
            verifying={verdict.isFetching}
            onVerify={() => void verdict.refetch()}
          />
        )
      }
    >
      {!receipt && error && (
        <ErrorBlock {...reasonOf(error)} onRetry={() => void refetch()} retrying={isFetching} />
      )}
      {!receipt && !error && <SkeletonRows rows={6} />}
      {receipt && (
        <div className={styles.receipt}>
          <ReceiptHead receipt={receipt} />
          <VerdictNote
            receipt={receipt}
            checks={verdict.isFetching ? undefined : verdict.data}
            broken={verdict.isError}
            checkedAt={verdict.dataUpdatedAt}
            advice={t('receipt.verdict.mismatch_next')}
          />
          <QuoteSection receipt={receipt} />
          <RuleSection
            receipt={receipt}
            opening={shown === fillId && opening?.fillId !== shown ? opening : undefined}
            onOpening={setShown}
            onBack={shown === fillId ? undefined : () => setShown(fillId)}
          />
          <SumsSection receipt={receipt} />
          <ChainSection receipt={receipt} />
        </div>
      )}
    </Sheet>
  )
}
