import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useReceipt } from '../api/receipt'
import { openingFill } from '../model/verify'
import { ProofSheet } from './proof-sheet'
import { QuoteSection } from './quote-section'
import { RuleSection } from './rule-section'
import { SumsSection } from './sums-section'

export type ReceiptSheetProps = { fillId: number; onClose: () => void }

/** The receipt of a fill: the verdict first, then the quote, the rule, the sums and the chain. */
export function ReceiptSheet({ fillId, onClose }: ReceiptSheetProps) {
  const { t } = useTranslation()
  const [shown, setShown] = useState(fillId)
  const proof = useReceipt(shown)
  const opening = proof.data && openingFill(proof.data)
  return (
    <ProofSheet title={t('receipt.title')} proof={proof} onClose={onClose}>
      {(receipt) => (
        <>
          <QuoteSection receipt={receipt} />
          <RuleSection
            receipt={receipt}
            opening={shown === fillId && opening?.fillId !== shown ? opening : undefined}
            onOpening={setShown}
            onBack={shown === fillId ? undefined : () => setShown(fillId)}
          />
          <SumsSection receipt={receipt} />
        </>
      )}
    </ProofSheet>
  )
}
