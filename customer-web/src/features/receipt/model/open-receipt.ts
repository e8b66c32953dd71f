import { create } from 'zustand'

/** The fill whose proof is asked for, from wherever it was: a toast outlives the sheet that sent it. */
export const useOpenReceipt = create<{ fillId: number | null; hosts: number }>(() => ({
  fillId: null,
  hosts: 0,
}))

/** Opens the proof of a fill over the page; where no page shows proofs, `elsewhere` goes to one that does. */
export function openReceipt(fillId: number, elsewhere: () => void = () => {}): void {
  useOpenReceipt.setState({ fillId })
  if (useOpenReceipt.getState().hosts === 0) elsewhere()
}

export function closeReceipt(): void {
  useOpenReceipt.setState({ fillId: null })
}

/** Says that a page shows proofs; the answer takes it back. */
export function hostReceipts(): () => void {
  useOpenReceipt.setState(({ hosts }) => ({ hosts: hosts + 1 }))
  return () => useOpenReceipt.setState(({ hosts }) => ({ hosts: hosts - 1 }))
}
