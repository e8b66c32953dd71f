import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useSearchParams } from 'react-router'
import { Chat } from '@/features/kefu/components/chat'
import { type Card, cardIn } from '@/features/kefu/model/cards'
import { useChat } from '@/features/kefu/model/chat'
import { Page } from '../shell/page'
import { depositPath } from './deposite-paths'
import { showUnread } from './kefu-badge'
import { withdrawalPath } from './withdraw-paths'

/** Characters that an address may bring along for the message field. */
const LONGEST_ABOUT = 200

/** Customer service: one conversation, for traders and for visitors. */
export default function Kefu() {
  const { t } = useTranslation()
  const { key } = useLocation()
  const [search] = useSearchParams()
  const unread = useChat((chat) => chat.unread)
  useEffect(() => showUnread(unread), [unread])
  return (
    <Page title={t('me.menu.support')} full>
      <Chat
        key={key}
        card={cardIn(search)}
        about={(search.get('about') ?? '').slice(0, LONGEST_ABOUT)}
        pathOf={pathOf}
      />
    </Page>
  )
}

/** The page of a card; an order has none of its own. */
function pathOf({ kind, id }: Card): string {
  if (kind === 'deposit') return depositPath(id)
  return kind === 'withdrawal' ? withdrawalPath(id) : '/order'
}
