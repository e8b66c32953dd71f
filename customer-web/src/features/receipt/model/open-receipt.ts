import { create } from 'zustand'

type Open = { fillId: number | null; chargeId: number | null }

const nothing: Open = { fillId: null, chargeId: null }

/** The fill or charge whose receipt is open. It is global because a toast outlives the sheet that showed it. */
export const useOpenReceipt = create<Open>(() => nothing)

/** Opens the receipt of a fill over the page. */
export function openReceipt(fillId: number): void {
  useOpenReceipt.setState({ ...nothing, fillId })
}

/** Opens the receipt of a swap or dividend over the page. */
export function openChargeReceipt(chargeId: number): void {
  useOpenReceipt.setState({ ...nothing, chargeId })
}

export function closeReceipt(): void {
  useOpenReceipt.setState(nothing)
}
