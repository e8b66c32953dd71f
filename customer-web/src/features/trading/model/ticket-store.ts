import { create } from 'zustand'
import type { Wire } from '@/api/client'
import { DEFAULT_TRADE_LEVER } from '@/constants'
import type { Product } from '@/features/market/api/products'
import { onAccountChangedElsewhere } from '@/session/session-store'
import { defaultLots } from './default-lots'

export type Side = 'buy' | 'sell'

/** The order kind: at market, pending, or an OCO pair. */
export type OrderKind = 'market' | Wire['Order']['type'] | 'oco'

/** A stop loss or take profit as typed. */
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

/** The draft of an order. It stays when the trader logs in or leaves the screen. */
export const useTicket = create<Ticket>(() => empty)

// An order that was begun on one account is not sent on another.
onAccountChangedElsewhere(() => {
  useTicket.setState(({ productId }) => ({ ...empty, productId }))
})

/** The maximum leverage by product class, where the trader's country has one. */
export type LeverageCaps = Wire['UserInfo']['leverageCaps']

/**
 * A product's leverages, the default first; without a list, the specification's default. Values above the cap
 * become the cap; those above the account's ceiling are left out, but the lowest always stays.
 */
export function leveragesOf(
  { multiple, type }: Pick<Product, 'multiple' | 'type'>,
  caps: LeverageCaps = {},
  ceiling = Number.POSITIVE_INFINITY,
): number[] {
  const list = multiple
    .split(',')
    .map((part) => Number.parseInt(part, 10))
    .filter((n) => n > 0)
  const most = caps[type] || Number.POSITIVE_INFINITY
  const capped = [
    ...new Set((list.length > 0 ? list : [DEFAULT_TRADE_LEVER]).map((one) => Math.min(one, most))),
  ]
  return capped.filter((one) => one <= Math.max(ceiling, Math.min(...capped)))
}

/**
 * Starts a new order for another product. The same product keeps its inputs, except a leverage the trader may not
 * use.
 */
export function openTicket(product: Product, caps?: LeverageCaps, ceiling?: number): void {
  const { productId, leverage } = useTicket.getState()
  const leverages = leveragesOf(product, caps, ceiling)
  const usual = { leverage: leverages[0] ?? DEFAULT_TRADE_LEVER }
  if (productId !== product.productId) {
    useTicket.setState({
      ...empty,
      ...usual,
      productId: product.productId,
      lots: defaultLots(product),
    })
  } else if (!leverages.includes(leverage)) useTicket.setState(usual)
}

export function editTicket(change: Partial<Ticket>): void {
  useTicket.setState(change)
}

export function setLots(lots: string): void {
  editTicket({ lots })
}

/** After a fill the volume stays for the next order; the protection does not. */
export function resetProtection(): void {
  useTicket.setState({ stopLoss: OFF, takeProfit: OFF })
}
