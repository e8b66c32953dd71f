import { useTranslation } from 'react-i18next'
import { useChargeReceipt } from '../api/receipt'
import { ChargeSumSection } from './charge-sum-section'
import { ProofSheet } from './proof-sheet'
import { RolloverSection } from './rollover-section'

export type ChargeReceiptSheetProps = { chargeId: number; onClose: () => void }

/** The receipt of a swap or dividend: the verdict first, then the rollover, the sum and the chain. */
export function ChargeReceiptSheet({ chargeId, onClose }: ChargeReceiptSheetProps) {
  const { t } = useTranslation()
  return (
    <ProofSheet
      title={t('receipt.charge_title')}
      proof={useChargeReceipt(chargeId)}
      onClose={onClose}
    >
      {(receipt) => (
        <>
          <RolloverSection receipt={receipt} />
          <ChargeSumSection receipt={receipt} />
        </>
      )}
    </ProofSheet>
  )
}
