import type { Card } from '@/features/kefu/model/cards'
import { depositPath } from './deposite-paths'
import { withdrawalPath } from './withdraw-paths'

export const CHAT_PATH = '/kefu'

/** The path of a card's page; orders have no page of their own. */
export function cardPath({ kind, id }: Card): string {
  if (kind === 'deposit') return depositPath(id)
  return kind === 'withdrawal' ? withdrawalPath(id) : '/order'
}
