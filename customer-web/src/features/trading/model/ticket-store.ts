import { create } from 'zustand'
import type { Wire } from '@/api/client'
import { DEFAULT_TRADE_LEVER } from '@/constants'
import type { Product } from '@/features/market/api/products'

export type Side = 'buy' | 'sell'

/** How an order finds its price: at once, waiting for it, or as one of two that wait. */
export type OrderKind = 'market' | Wire['Order']['type'] | 'oco'

/** A stop loss or take profit as it is typed. */
export type Guard = { on: boolean; price: string }

export type Ticket = {
  productId: number
  kind: OrderKind
  side: Side
  lots: string
  leverage: number
  stopLoss: Guard
  takeProfit: Guard
}

const OFF: Guard = { on: false, price: '' }

const empty: Ticket = {
  productId: 0,
  kind: 'market',
  side: 'buy',
  lots: '',
  leverage: DEFAULT_TRADE_LEVER,
  stopLoss: OFF,
  takeProfit: OFF,
}

/** The order that is being written. It stays while the trader logs in or looks elsewhere. */
export const useTicket = create<Ticket>(() => empty)

/** A product's leverages, the default first; the spec's default where there is no list. */
export function leveragesOf(product: Product): number[] {
  const list = product.multiple
    .split(',')
    .map((part) => Number.parseInt(part, 10))
    .filter((n) => n > 0)
  return list.length > 0 ? list : [DEFAULT_TRADE_LEVER]
}

/** Starts a new order when another product is chosen; the same product keeps what was typed. */
export function openTicket(product: Product): void {
  if (useTicket.getState().productId === product.productId) return
  useTicket.setState({
    ...empty,
    productId: product.productId,
    lots: product.lotMin,
    leverage: leveragesOf(product)[0] ?? DEFAULT_TRADE_LEVER,
  })
}

export function editTicket(change: Partial<Ticket>): void {
  useTicket.setState(change)
}

/** After a fill: the size stays for the next order, the protection does not. */
export function resetProtection(): void {
  useTicket.setState({ stopLoss: OFF, takeProfit: OFF })
}
