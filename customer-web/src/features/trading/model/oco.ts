import { create } from 'zustand'
import type { Wire } from '@/api/client'
import type { Product } from '@/features/market/api/products'
import type { Side } from './ticket-store'
import { type Frame, suggestTerms, type Terms } from './waiting'

/** Which two orders end each other: a limit and a stop of one side, or the same kind on both sides. */
export type Pair = Side | 'stops' | 'limits'

export const PAIRS = ['buy', 'sell', 'stops', 'limits'] as const satisfies readonly Pair[]

const frame = (side: Side, kind: 'limit' | 'stop'): Frame => ({ side, kind, armed: false })

/** The two orders of a pair. */
export function framesOf(pair: Pair): readonly [Frame, Frame] {
  switch (pair) {
    case 'stops':
      return [frame('buy', 'stop'), frame('sell', 'stop')]
    case 'limits':
      return [frame('buy', 'limit'), frame('sell', 'limit')]
    default:
      return [frame(pair, 'limit'), frame(pair, 'stop')]
  }
}

export type PairTerms = readonly [Terms, Terms]

const OFF = { on: false, price: '' }
const blank: Terms = {
  price: '',
  limitPrice: '',
  stopLoss: OFF,
  takeProfit: OFF,
  force: 'gtc',
  until: '',
}

/** `start` names what the prices were suggested for; `both` is set where the pair spans both sides. */
export type PairDraft = {
  start: string
  both: 'stops' | 'limits' | null
  terms: PairTerms
}

/** The pair that is being written. It stays while the trader looks elsewhere. */
export const usePairDraft = create<PairDraft>(() => ({
  start: '',
  both: null,
  terms: [blank, blank],
}))

/** Changes one of the two; how long it waits holds for both. */
export function editPair(index: 0 | 1, change: Partial<Terms>): void {
  const { force, until } = change
  const shared = {
    ...(force === undefined ? {} : { force }),
    ...(until === undefined ? {} : { until }),
  }
  usePairDraft.setState(({ terms: [first, second] }) => ({
    terms: [
      { ...first, ...(index === 0 ? change : shared) },
      { ...second, ...(index === 1 ? change : shared) },
    ],
  }))
}

/** Another product or pair: prices near the market, and protection has to be chosen anew. */
export function startPair(
  start: string,
  product: Product,
  pair: Pair,
  quote: { bid: string; ask: string },
): void {
  const anew = (which: Frame, { force, until }: Terms): Terms => ({
    ...blank,
    ...suggestTerms(product, which, quote),
    ...{ force, until },
  })
  const [first, second] = framesOf(pair)
  usePairDraft.setState(({ terms }) => ({
    start,
    terms: [anew(first, terms[0]), anew(second, terms[1])],
  }))
}

/** The order that ends together with this one. */
export function mateOf<T extends Pick<Wire['Order'], 'orderId' | 'ocoId'>>(
  order: T,
  orders: readonly T[],
): T | undefined {
  if (order.ocoId === undefined) return undefined
  return orders.find(({ orderId, ocoId }) => ocoId === order.ocoId && orderId !== order.orderId)
}
