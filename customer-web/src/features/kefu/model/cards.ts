import type { CardKind } from '../api/kefu'

/** An order, a deposit or a withdrawal shared by a trader. */
export type Card = { kind: CardKind; id: number }

export const cardKinds: readonly CardKind[] = ['order', 'deposit', 'withdrawal']

const prefixes: Record<CardKind, string> = { order: '', deposit: 'DP-', withdrawal: 'WD-' }

/** The number shown to the trader. */
export function cardNumber({ kind, id }: Card): string {
  return prefixes[kind] + id
}

/** The card in an address, `card=deposit&id=5`; null if absent. */
export function cardIn(search: URLSearchParams): Card | null {
  const kind = cardKinds.find((one) => one === search.get('card'))
  const id = search.get('id') ?? ''
  return kind && /^[1-9]\d{0,14}$/.test(id) ? { kind, id: Number(id) } : null
}
