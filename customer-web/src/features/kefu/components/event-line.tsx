import i18next from 'i18next'
import { useTranslation } from 'react-i18next'
import { TimeText } from '@/ui/time-text'
import type { Message } from '../api/kefu'
import styles from './chat.module.css'

export type EventLineProps = { message: Message }

/** An event in the conversation: an agent joined, or it was resolved. Events without a text are skipped. */
export function EventLine({ message: { body, senderName, createdAt } }: EventLineProps) {
  const { t } = useTranslation()
  // The key comes from the server, so the types can't know it.
  const key = `kefu.event.${body}` as 'kefu.event.chat.claim'
  if (!i18next.exists(key)) return null
  return (
    <p className={styles.event}>
      {t(key, { name: senderName ?? t('kefu.agent') })} <TimeText at={createdAt} shape="time" />
    </p>
  )
}
