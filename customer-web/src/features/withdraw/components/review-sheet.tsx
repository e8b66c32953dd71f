import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ProofFields } from '@/features/payee/components/proof-fields'
import { type ProofState, useProof } from '@/features/payee/model/use-proof'
import { formatAmount } from '@/format/amount'
import { bidiIsolate } from '@/format/bidi-isolate'
import styles from '@/ui/block.module.css'
import { Button } from '@/ui/button'
import { FailureNote } from '@/ui/failure-note'
import { Note } from '@/ui/note'
import { Sheet } from '@/ui/sheet/sheet'
import { SumRows, type SumRowsProps } from './sum-rows'
import own from './withdraw.module.css'

export type ReviewSheetProps = {
  payeeId: number
  /** The payee in full. */
  to: ReactNode
  amount: string
  cost: SumRowsProps['cost']
  paymentPath?: string | undefined
  failure: unknown
  busy: boolean
  /** No response came yet; the same write is being retried. */
  checking: boolean
  onConfirm: (proof: ProofState) => void
  onClose: () => void
}

/** The review before a withdrawal, with the trader's proof. */
export function ReviewSheet({
  payeeId,
  to,
  amount,
  cost,
  paymentPath,
  failure,
  busy,
  checking,
  onConfirm,
  onClose,
}: ReviewSheetProps) {
  const { t } = useTranslation()
  const proof = useProof({ act: 'withdraw', payeeId, amount })
  return (
    <Sheet
      open
      title={t('withdraw.review.title')}
      onClose={() => !busy && onClose()}
      footer={
        <Button
          variant="primary"
          size="large"
          block
          busy={busy}
          disabled={busy}
          onClick={() => onConfirm(proof)}
        >
          {checking
            ? t('deposit.checking')
            : t('withdraw.review.submit', { amount: bidiIsolate(formatAmount(amount)) })}
        </Button>
      }
    >
      <div className={own.sheet}>
        <div>
          <dl className={styles.pairs}>
            <div>
              <dt>{t('withdraw.review.to')}</dt>
              <dd>{to}</dd>
            </div>
          </dl>
          <SumRows amount={amount} cost={cost} />
        </div>
        <Note>{t('withdraw.review.leaves')}</Note>
        <ProofFields proof={proof} paymentPath={paymentPath} />
        {failure !== null && <FailureNote error={failure} />}
      </div>
    </Sheet>
  )
}
