import { create } from 'zustand'

/** The fill whose proof is asked for, from wherever it was: a toast outlives the sheet that sent it. */
export const useOpenReceipt = create<{ fillId: number | null }>(() => ({ fillId: null }))

/** Opens the proof of a fill over the page. */
export function openReceipt(fillId: number): void {
  useOpenReceipt.setState({ fillId })
}

export function closeReceipt(): void {
  useOpenReceipt.setState({ fillId: null })
}
