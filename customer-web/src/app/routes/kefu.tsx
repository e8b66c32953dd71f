import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useSearchParams } from 'react-router'
import { Chat } from '@/features/kefu/components/chat'
import { ChatMenu } from '@/features/kefu/components/chat-menu'
import { cardIn } from '@/features/kefu/model/cards'
import { useChat } from '@/features/kefu/model/chat'
import { cardPath } from '../nav/chat-paths'
import { showUnread } from '../parts/kefu-badge'
import { Page } from '../parts/page'
import { hasRoute } from '../routes'

/** Maximum characters that the address may prefill in the message field. */
const LONGEST_ABOUT = 200

/** Support: one conversation, for traders and visitors. */
export default function Kefu() {
  const { t } = useTranslation()
  const { key } = useLocation()
  const [search] = useSearchParams()
  const unread = useChat((chat) => chat.unread)
  useEffect(() => showUnread(unread), [unread])
  return (
    <Page title={t('me.menu.support')} full aside={<ChatMenu />}>
      <Chat
        key={key}
        card={cardIn(search)}
        about={(search.get('about') ?? '').slice(0, LONGEST_ABOUT)}
        pathOf={cardPath}
        hasPath={hasRoute}
      />
    </Page>
  )
}
