import { create } from 'zustand'
import type { PendingOrderInput } from './pending-order'

const OFF = { on: false, price: '' }

/** `start` names what the prices were suggested for: product, kind and side. */
export type PendingOrderDraft = PendingOrderInput & { start: string }

/** The waiting order that is being written. It stays while the trader looks elsewhere. */
export const usePendingOrderDraft = create<PendingOrderDraft>(() => ({
  start: '',
  price: '',
  limitPrice: '',
  stopLoss: OFF,
  takeProfit: OFF,
  force: 'gtc',
  until: '',
}))

export function editDraft(change: Partial<PendingOrderDraft>): void {
  usePendingOrderDraft.setState(change)
}

/** Another product, kind or side: other prices, and protection has to be chosen anew. */
export function startDraft(
  start: string,
  prices: Pick<PendingOrderInput, 'price' | 'limitPrice'>,
): void {
  usePendingOrderDraft.setState({ start, ...prices, stopLoss: OFF, takeProfit: OFF })
}
