import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { object } from 'zod/mini'
import { ProofFields } from '@/features/payee/components/proof-fields'
import { emptyProof, type Proof, proofFields, useProof } from '@/features/payee/model/use-proof'
import { formatAmount } from '@/format/amount'
import { bidiIsolate } from '@/format/bidi-isolate'
import styles from '@/ui/block.module.css'
import { Button } from '@/ui/button'
import { FailureNote } from '@/ui/failure-note'
import { useSchemaForm } from '@/ui/form/use-schema-form'
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
  /** `refuse` shows a refusal that is about the proof; it returns whether it was. */
  onConfirm: (proof: Proof, refuse: (error: unknown) => boolean) => void
  onClose: () => void
}

const schema = object(proofFields)

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
  const id = useId()
  const form = useSchemaForm(schema, emptyProof)
  const proof = useProof(form, { act: 'withdraw', payeeId, amount })
  const submit = proof.submit((values) => onConfirm(values, proof.refuse))
  return (
    <Sheet
      open
      title={t('withdraw.review.title')}
      onClose={() => !busy && onClose()}
      footer={
        <Button
          type="submit"
          form={id}
          variant="primary"
          size="large"
          block
          busy={busy}
          disabled={proof.unset}
        >
          {checking
            ? t('deposit.checking')
            : t('withdraw.review.submit', { amount: bidiIsolate(formatAmount(amount)) })}
        </Button>
      }
    >
      <form id={id} className={own.sheet} onSubmit={submit} noValidate>
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
      </form>
    </Sheet>
  )
}
