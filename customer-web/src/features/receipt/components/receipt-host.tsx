import { lazy, Suspense } from 'react'
import { withTexts } from '@/i18n/i18n'
import { closeReceipt, useOpenReceipt } from '../model/open-receipt'

const ReceiptSheet = lazy(async () => ({
  default: (await withTexts(() => import('./receipt-sheet'))).ReceiptSheet,
}))
const ChargeReceiptSheet = lazy(async () => ({
  default: (await withTexts(() => import('./charge-receipt-sheet'))).ChargeReceiptSheet,
}))

/** Shows the receipt opened by openReceipt or openChargeReceipt over any page; mounted once in the app. */
export function ReceiptHost() {
  const { fillId, chargeId } = useOpenReceipt()
  if (fillId === null && chargeId === null) return null
  return (
    <Suspense>
      {fillId !== null && <ReceiptSheet key={fillId} fillId={fillId} onClose={closeReceipt} />}
      {chargeId !== null && (
        <ChargeReceiptSheet key={chargeId} chargeId={chargeId} onClose={closeReceipt} />
      )}
    </Suspense>
  )
}
