import { create } from 'zustand'
import { onAccountChangedElsewhere } from '@/session/session-store'
import type { PendingOrderInput } from './pending-order'

const OFF = { on: false, price: '' }

/** `start` identifies what the prices were suggested for: product, kind and side. */
export type PendingOrderDraft = PendingOrderInput & { start: string }

/** The draft of a pending order. It stays when the trader leaves the screen. */
export const usePendingOrderDraft = create<PendingOrderDraft>(() => ({
  start: '',
  price: '',
  limitPrice: '',
  stopLoss: OFF,
  takeProfit: OFF,
  force: 'gtc',
  until: '',
}))

onAccountChangedElsewhere(() => usePendingOrderDraft.setState({ start: '' }))

export function editDraft(change: Partial<PendingOrderDraft>): void {
  usePendingOrderDraft.setState(change)
}

/** Starts a draft for another product, kind or side: sets the suggested prices and clears the protection. */
export function startDraft(
  start: string,
  prices: Pick<PendingOrderInput, 'price' | 'limitPrice'>,
): void {
  usePendingOrderDraft.setState({ start, ...prices, stopLoss: OFF, takeProfit: OFF })
}
