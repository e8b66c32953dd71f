import { useTranslation } from 'react-i18next'
import { AUTH_STATUS } from '@/constants'
import { useIsDemo, useSession } from '@/session/session-store'
import { Button } from '@/ui/button'
import { cx } from '@/ui/cx'
import { Disclosure } from '@/ui/disclosure'
import { TimeText, useTimeStyle } from '@/ui/time-text'
import { type Message, useReadMessages } from '../api/messages'
import { linkOf, messageText } from '../model/message-text'
import styles from './notice.module.css'
import { UnreadDot } from './unread-dot'

export type MessageRowProps = {
  message: Message
  /** Reports whether a path is a screen of the app. */
  hasPath: (path: string) => boolean
  /** Opens the receipt of a fill. */
  onFill: (fillId: number) => void
}

/** A message row; opening it marks the message as read and follows its link. */
export function MessageRow({ message, hasPath, onFill }: MessageRowProps) {
  const { t } = useTranslation()
  const style = useTimeStyle()
  const { mutate } = useReadMessages()
  const { id, time, read } = message
  const words = messageText(message, style)
  return (
    <li className={styles.inset}>
      <Disclosure
        className={cx(styles.row, !read && styles.unread)}
        panelClassName={styles.panel}
        onToggle={(open) => open && !read && mutate([id])}
        head={
          <>
            <UnreadDot read={read} />
            <span className={styles.words}>
              <b>{words?.title ?? t('notice.message.unknown')}</b>
              <span className={styles.facts}>
                <TimeText at={time} />
              </span>
            </span>
          </>
        }
      >
        <p>{words?.body ?? t('notice.message.unknown_body')}</p>
        <SubjectButton message={message} hasPath={hasPath} onFill={onFill} />
      </Disclosure>
    </li>
  )
}

/** Leads to the message's subject. */
function SubjectButton({ message, hasPath, onFill }: MessageRowProps) {
  const { t } = useTranslation()
  const authStatus = useSession(({ user }) => user?.authStatus ?? AUTH_STATUS.none)
  const mock = useIsDemo()
  const accountId = useSession(({ user }) => user?.accountId)
  const link = linkOf(message, { authStatus, mock, accountId })
  if (!link) return null
  if (link === 'switch_account')
    return <Button to="/switchAccount">{t('switch_account.title')}</Button>
  if ('fillId' in link)
    return <Button onClick={() => onFill(link.fillId)}>{t('trade.proof')}</Button>
  if (!hasPath(link.path.split('?')[0] ?? '')) return null
  return <Button to={link.path}>{t('notice.open')}</Button>
}
