import { useTranslation } from 'react-i18next'
import { AUTH_STATUS } from '@/constants'
import { useSession } from '@/session/session-store'
import { Button } from '@/ui/button'
import { cx } from '@/ui/cx'
import { Disclosure } from '@/ui/disclosure'
import { TimeText, useTimeStyle } from '@/ui/time-text'
import { type Message, useReadMessages } from '../api/messages'
import { messageText, pathOf } from '../model/message-text'
import styles from './notice.module.css'
import { UnreadDot } from './unread-dot'

export type MessageRowProps = {
  message: Message
  /** Reports whether a path is a screen of the app. */
  hasPath: (path: string) => boolean
}

/** A message row; opening it marks the message as read and follows its link. */
export function MessageRow({ message, hasPath }: MessageRowProps) {
  const { t } = useTranslation()
  const style = useTimeStyle()
  const authStatus = useSession(({ user }) => user?.authStatus ?? AUTH_STATUS.none)
  const { mutate } = useReadMessages()
  const { id, time, read } = message
  const words = messageText(message, style)
  const path = pathOf(message, authStatus)
  return (
    <li className={styles.inset}>
      <Disclosure
        className={cx(styles.row, !read && styles.unread)}
        panelClassName={styles.panel}
        onOpen={() => !read && mutate([id])}
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
        {path && hasPath(path.split('?')[0] ?? '') && <Button to={path}>{t('notice.open')}</Button>}
      </Disclosure>
    </li>
  )
}
