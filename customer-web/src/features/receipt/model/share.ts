import { saveFile } from '@/ui/save-file'
import type { AnyReceipt } from './evidence'

/** The receipt as a file that anyone can check without us: the server's complete answer. */
export function proofText(receipt: AnyReceipt): string {
  return `${JSON.stringify(receipt, null, 2)}\n`
}

export function proofFileName(receipt: AnyReceipt): string {
  if ('charge' in receipt) {
    const { product, kind, chargeId } = receipt.charge
    return `candor-receipt-${product.productNo}-${kind}-${chargeId}.json`
  }
  const { fill } = receipt
  return `candor-receipt-${fill.product.productNo}-${fill.fillId}.json`
}

/** Downloads the receipt. */
export function downloadProof(receipt: AnyReceipt): void {
  const file = new Blob([proofText(receipt)], { type: 'application/json' })
  saveFile(file, proofFileName(receipt))
}
