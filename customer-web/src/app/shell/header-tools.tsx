import { useTranslation } from 'react-i18next'
import { useSession } from '@/session/session-store'
import { IconButton } from '@/ui/icon-button'
import { badgeText, useNavBadges } from '../nav/nav-badges'
import { toggleChatDock, useChatDock } from '../parts/chat-dock-store'
import { NoticeBell } from '../parts/notice-bell'
import styles from '../parts/notice-bell.module.css'
import { hasRoute } from '../routes'
import { useUnreadChat } from '../use-unread-chat'
import { AccountButton } from './account-button'

const SUPPORT_PATH = '/kefu'

/** The end of the desktop header: support and notices with unread counts, and the account. */
export function HeaderTools() {
  const { t } = useTranslation()
  const loggedIn = useSession(({ token }) => token !== null)
  const unread = useNavBadges()[SUPPORT_PATH] ?? 0
  const open = useChatDock((dock) => dock.open)
  useUnreadChat(true, true)
  return (
    <>
      {hasRoute(SUPPORT_PATH) && (
        <span className={styles.bell}>
          <IconButton
            onClick={toggleChatDock}
            pressed={open}
            icon="chat"
            label={
              unread > 0 ? t('shell.support_unread', { count: unread }) : t('home.quick.support')
            }
          />
          {unread > 0 && (
            <span className={styles.badge} aria-hidden>
              {badgeText(unread)}
            </span>
          )}
        </span>
      )}
      {loggedIn && <NoticeBell />}
      {loggedIn && <AccountButton />}
    </>
  )
}
