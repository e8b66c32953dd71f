import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { reasonOf } from '@/api/reason'
import { useIsDemo } from '@/session/session-store'
import { ErrorBlock } from '@/ui/error-block'
import { Sheet } from '@/ui/sheet/sheet'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { Tag } from '@/ui/tag'
import { useVerdict } from '../api/receipt'
import type { AnyReceipt } from '../model/evidence'
import { ChainSection } from './chain-section'
import styles from './receipt.module.css'
import { ReceiptActions } from './receipt-actions'
import { ReceiptHead } from './receipt-head'
import { VerdictNote } from './verdict-note'

export type ProofSheetProps<Proof extends AnyReceipt> = {
  title: string
  proof: UseQueryResult<Proof>
  onClose: () => void
  /** The sections between the verdict and the chain. */
  children: (receipt: Proof) => ReactNode
}

/** A receipt over the page: its subject, the verdict, its sections, and the chain. */
export function ProofSheet<Proof extends AnyReceipt>({
  title,
  proof: { data: receipt, error, refetch, isFetching },
  onClose,
  children,
}: ProofSheetProps<Proof>) {
  const { t } = useTranslation()
  const demo = useIsDemo()
  const verdict = useVerdict(receipt)
  return (
    <Sheet
      open
      width={560}
      onClose={onClose}
      title={
        <span className={styles.title}>
          {title}
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
          {children(receipt)}
          <ChainSection receipt={receipt} />
        </div>
      )}
    </Sheet>
  )
}
