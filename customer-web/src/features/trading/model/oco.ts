import { create } from 'zustand'
import type { Wire } from '@/api/client'
import type { Product } from '@/features/market/api/products'
import { onAccountChangedElsewhere } from '@/session/session-store'
import { type PendingOrderInput, type PendingOrderShape, suggestPrices } from './pending-order'
import type { Side } from './ticket-store'

/** The kinds of an OCO pair: a limit and a stop of one side, or the same kind on both sides. */
export type Pair = Side | 'stops' | 'limits'

export const PAIRS = ['buy', 'sell', 'stops', 'limits'] as const satisfies readonly Pair[]

const shape = (side: Side, kind: 'limit' | 'stop'): PendingOrderShape => ({
  side,
  kind,
  armed: false,
})

/** The two orders of a pair. */
export function shapesOf(pair: Pair): readonly [PendingOrderShape, PendingOrderShape] {
  switch (pair) {
    case 'stops':
      return [shape('buy', 'stop'), shape('sell', 'stop')]
    case 'limits':
      return [shape('buy', 'limit'), shape('sell', 'limit')]
    default:
      return [shape(pair, 'limit'), shape(pair, 'stop')]
  }
}

export type PairInput = readonly [PendingOrderInput, PendingOrderInput]

const OFF = { on: false, price: '' }
const blank: PendingOrderInput = {
  price: '',
  limitPrice: '',
  stopLoss: OFF,
  takeProfit: OFF,
  force: 'gtc',
  until: '',
}

/** `start` identifies what the prices were suggested for; `both` is set if the pair spans both sides. */
export type PairDraft = {
  start: string
  both: 'stops' | 'limits' | null
  inputs: PairInput
}

/** The draft of an OCO pair. It stays when the trader leaves the screen. */
export const usePairDraft = create<PairDraft>(() => ({
  start: '',
  both: null,
  inputs: [blank, blank],
}))

onAccountChangedElsewhere(() => usePairDraft.setState({ start: '', both: null }))

/** Changes one of the two orders; the expiry applies to both. */
export function editPair(index: 0 | 1, change: Partial<PendingOrderInput>): void {
  const { force, until } = change
  const shared = {
    ...(force === undefined ? {} : { force }),
    ...(until === undefined ? {} : { until }),
  }
  usePairDraft.setState(({ inputs: [first, second] }) => ({
    inputs: [
      { ...first, ...(index === 0 ? change : shared) },
      { ...second, ...(index === 1 ? change : shared) },
    ],
  }))
}

/** Starts a draft for another product or pair: suggests prices near the market and clears the protection. */
export function startPair(
  start: string,
  product: Product,
  pair: Pair,
  quote: { bid: string; ask: string },
): void {
  const anew = (
    which: PendingOrderShape,
    { force, until }: PendingOrderInput,
  ): PendingOrderInput => ({
    ...blank,
    ...suggestPrices(product, which, quote),
    ...{ force, until },
  })
  const [first, second] = shapesOf(pair)
  usePairDraft.setState(({ inputs }) => ({
    start,
    inputs: [anew(first, inputs[0]), anew(second, inputs[1])],
  }))
}

/** The other order of an OCO pair. */
export function ocoPartnerOf<T extends Pick<Wire['Order'], 'orderId' | 'ocoId'>>(
  order: T,
  orders: readonly T[],
): T | undefined {
  if (order.ocoId === undefined) return undefined
  return orders.find(({ orderId, ocoId }) => ocoId === order.ocoId && orderId !== order.orderId)
}
