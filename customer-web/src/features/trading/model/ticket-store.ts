import { create } from 'zustand'
import type { Wire } from '@/api/client'
import { DEFAULT_TRADE_LEVER } from '@/constants'
import type { Product } from '@/features/market/api/products'

export type Side = 'buy' | 'sell'

/** How an order finds its price: at once, waiting for it, or as one of two that wait. */
export type OrderKind = 'market' | Wire['Order']['type'] | 'oco'

/** A stop loss or take profit as it is typed. */
export type ProtectionInput = { on: boolean; price: string }

export type Ticket = {
  productId: number
  kind: OrderKind
  side: Side
  lots: string
  leverage: number
  stopLoss: ProtectionInput
  takeProfit: ProtectionInput
}

const OFF: ProtectionInput = { on: false, price: '' }

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

/** The highest leverage by class of products, where the trader's country has one. */
export type LeverageCaps = Wire['UserInfo']['leverageCaps']

/** A product's leverages, the default first; the spec's default where there is no list. What is above the cap becomes the cap. */
export function leveragesOf(
  { multiple, type }: Pick<Product, 'multiple' | 'type'>,
  caps: LeverageCaps = {},
): number[] {
  const list = multiple
    .split(',')
    .map((part) => Number.parseInt(part, 10))
    .filter((n) => n > 0)
  const most = caps[type] || Number.POSITIVE_INFINITY
  return [
    ...new Set((list.length > 0 ? list : [DEFAULT_TRADE_LEVER]).map((one) => Math.min(one, most))),
  ]
}

/**
 * Starts a new order when another product is chosen; the same product keeps what was typed, but no
 * leverage that the trader may not use.
 */
export function openTicket(product: Product, caps?: LeverageCaps): void {
  const { productId, leverage } = useTicket.getState()
  const leverages = leveragesOf(product, caps)
  const usual = { leverage: leverages[0] ?? DEFAULT_TRADE_LEVER }
  if (productId !== product.productId) {
    useTicket.setState({ ...empty, ...usual, productId: product.productId, lots: product.lotMin })
  } else if (!leverages.includes(leverage)) useTicket.setState(usual)
}

export function editTicket(change: Partial<Ticket>): void {
  useTicket.setState(change)
}

/** After a fill: the size stays for the next order, the protection does not. */
export function resetProtection(): void {
  useTicket.setState({ stopLoss: OFF, takeProfit: OFF })
}
