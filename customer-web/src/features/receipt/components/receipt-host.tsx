import { useEffect } from 'react'
import { closeReceipt, hostReceipts, useOpenReceipt } from '../model/open-receipt'
import { ReceiptSheet } from './receipt-sheet'

/** Shows the proof that openReceipt asks for; stands once on a page. */
export function ReceiptHost() {
  const fillId = useOpenReceipt((state) => state.fillId)
  useEffect(hostReceipts, [])
  if (fillId === null) return null
  return <ReceiptSheet key={fillId} fillId={fillId} onClose={closeReceipt} />
}
