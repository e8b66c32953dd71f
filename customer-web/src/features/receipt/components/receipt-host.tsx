import { lazy, Suspense, useEffect } from 'react'
import { closeReceipt, hostReceipts, useOpenReceipt } from '../model/open-receipt'

const ReceiptSheet = lazy(async () => ({ default: (await import('./receipt-sheet')).ReceiptSheet }))

/** Shows the proof that openReceipt asks for, fetched with the first one; stands once on a page. */
export function ReceiptHost() {
  const fillId = useOpenReceipt((state) => state.fillId)
  useEffect(hostReceipts, [])
  if (fillId === null) return null
  return (
    <Suspense>
      <ReceiptSheet key={fillId} fillId={fillId} onClose={closeReceipt} />
    </Suspense>
  )
}
