import { create } from 'zustand'

type Open = { fillId: number | null; chargeId: number | null }

const nothing: Open = { fillId: null, chargeId: null }

/** The fill or charge whose proof is asked for, from wherever it was: a toast outlives the sheet that sent it. */
export const useOpenReceipt = create<Open>(() => nothing)

/** Opens the proof of a fill over the page. */
export function openReceipt(fillId: number): void {
  useOpenReceipt.setState({ ...nothing, fillId })
}

/** Opens the proof of a swap or dividend over the page. */
export function openChargeReceipt(chargeId: number): void {
  useOpenReceipt.setState({ ...nothing, chargeId })
}

export function closeReceipt(): void {
  useOpenReceipt.setState(nothing)
}
