import { create } from 'zustand'
import type { Terms } from './waiting'

const OFF = { on: false, price: '' }

/** `start` names what the prices were suggested for: product, kind and side. */
export type WaitingDraft = Terms & { start: string }

/** The waiting order that is being written. It stays while the trader looks elsewhere. */
export const useWaitingDraft = create<WaitingDraft>(() => ({
  start: '',
  price: '',
  limitPrice: '',
  stopLoss: OFF,
  takeProfit: OFF,
  force: 'gtc',
  until: '',
}))

export function editDraft(change: Partial<WaitingDraft>): void {
  useWaitingDraft.setState(change)
}

/** Another product, kind or side: other prices, and protection has to be chosen anew. */
export function startDraft(start: string, prices: Pick<Terms, 'price' | 'limitPrice'>): void {
  useWaitingDraft.setState({ start, ...prices, stopLoss: OFF, takeProfit: OFF })
}
