import { Icon } from '@/ui/icons/icon'
import type { IconName } from '@/ui/icons/icon-shapes'
import type { CardKind } from '../api/kefu'

const icons: Record<CardKind, IconName> = {
  order: 'orders',
  deposit: 'deposit',
  withdrawal: 'withdraw',
}

/** The icon of a card. */
export function CardIcon({ kind }: { kind: CardKind }) {
  return <Icon name={icons[kind]} size={20} />
}
