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
  const address = URL.createObjectURL(new Blob([proofText(receipt)], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = address
  link.download = proofFileName(receipt)
  link.click()
  // Some browsers read the address a moment after the press.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
