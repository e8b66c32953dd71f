import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Chat } from '@/features/kefu/components/chat'
import { ChatMenu } from '@/features/kefu/components/chat-menu'
import { useChat } from '@/features/kefu/model/chat'
import { cx } from '@/ui/cx'
import { IconButton } from '@/ui/icon-button'
import { CHAT_PATH, cardPath } from '../nav/chat-paths'
import { hasRoute } from '../routes'
import styles from './chat-dock.module.css'
import { closeChatDock } from './chat-dock-store'
import { showUnread } from './kefu-badge'

/** The chat in a corner of a desktop, so that the trader keeps the chart and the positions in view. */
export default function ChatDock() {
  const { t } = useTranslation()
  const dock = useRef<HTMLElement>(null)
  const [folded, setFolded] = useState(false)
  const unread = useChat((chat) => chat.unread)
  useEffect(() => showUnread(unread), [unread])
  useEffect(() => {
    const opener = document.activeElement
    dock.current?.querySelector('textarea')?.focus()
    return () => {
      if (opener instanceof HTMLElement) opener.focus()
    }
  }, [])
  return (
    <aside
      ref={dock}
      className={cx(styles.dock, folded && styles.folded)}
      aria-labelledby="chat-dock"
      onKeyDown={({ key, defaultPrevented }) => {
        if (key === 'Escape' && !defaultPrevented) closeChatDock()
      }}
    >
      <div className={styles.head}>
        <h2 id="chat-dock">{t('home.quick.support')}</h2>
        <ChatMenu />
        <IconButton
          icon={folded ? 'plus' : 'minus'}
          label={t(folded ? 'kefu.unfold' : 'kefu.fold')}
          aria-expanded={!folded}
          onClick={() => setFolded(!folded)}
        />
        <IconButton icon="fullScreen" label={t('kefu.full_page')} to={CHAT_PATH} />
        <IconButton icon="close" label={t('ui.close')} onClick={closeChatDock} />
      </div>
      <Chat card={null} about="" pathOf={cardPath} hasPath={hasRoute} />
    </aside>
  )
}
