import { lazy, Suspense } from 'react'
import { withTexts } from '@/i18n/i18n'
import { closeReceipt, useOpenReceipt } from '../model/open-receipt'

const ReceiptSheet = lazy(async () => ({
  default: (await withTexts(() => import('./receipt-sheet'))).ReceiptSheet,
}))

/** Shows the proof that openReceipt asks for, over whatever page; stands once in the app. */
export function ReceiptHost() {
  const fillId = useOpenReceipt((state) => state.fillId)
  if (fillId === null) return null
  return (
    <Suspense>
      <ReceiptSheet key={fillId} fillId={fillId} onClose={closeReceipt} />
    </Suspense>
  )
}
