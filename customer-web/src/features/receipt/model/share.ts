import { saveFile } from '@/ui/save-file'
import type { Receipt } from './evidence'

/** The proof as a file that anybody can check without us: the answer of the server, nothing left out. */
export function proofText(receipt: Receipt): string {
  return `${JSON.stringify(receipt, null, 2)}\n`
}

export function proofFileName({ fill }: Receipt): string {
  return `candor-receipt-${fill.product.productNo}-${fill.fillId}.json`
}

/** Hands the proof to the browser as a download. */
export function downloadProof(receipt: Receipt): void {
  const file = new Blob([proofText(receipt)], { type: 'application/json' })
  saveFile(file, proofFileName(receipt))
}
