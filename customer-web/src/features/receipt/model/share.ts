import { saveFile } from '@/ui/save-file'
import type { Proof } from './evidence'

/** The proof as a file that anybody can check without us: the answer of the server, nothing left out. */
export function proofText({ receipt, fills }: Proof): string {
  return `${JSON.stringify({ receipt, fills }, null, 2)}\n`
}

export function proofFileName({ receipt }: Proof): string {
  return `candor-proof-${receipt.product.productNo}-${receipt.fill.fillId}.json`
}

/** Hands the proof to the browser as a download. */
export function downloadProof(proof: Proof): void {
  const file = new Blob([proofText(proof)], { type: 'application/json' })
  saveFile(file, proofFileName(proof))
}
