import { useTranslation } from 'react-i18next'
import { TimeText } from '@/ui/time-text'
import type { Message } from '../api/kefu'
import type { Card } from '../model/cards'
import type { DeliveryStatus } from '../model/thread'
import { Bubble } from './bubble'
import { CardLink } from './card-link'
import styles from './chat.module.css'
import { PictureMessage } from './picture-message'
import { TickMark } from './tick-mark'

export type SentMessageProps = {
  message: Message
  /** The delivery status; null if not shown. */
  tick: DeliveryStatus | null
  /** Whether the sender is named: only on the first message of a row. */
  named: boolean
  pathOf: (card: Card) => string | undefined
}

/** A message that the server has stored. */
export function SentMessage({ message, tick, named, pathOf }: SentMessageProps) {
  const { t } = useTranslation()
  const { senderType, senderName, body, image, pages, cardKind, cardId, masked, createdAt } =
    message
  const own = senderType === 'customer'
  const name = senderName ?? t('kefu.agent')
  return (
    <Bubble
      by={own ? 'self' : { name }}
      named={named}
      foot={
        <>
          <TimeText at={createdAt} shape="time" />
          {own && tick && <TickMark tick={tick} />}
        </>
      }
    >
      {image && (
        <PictureMessage
          name={image}
          pages={pages}
          text={
            own
              ? t(pages ? 'kefu.pdf.own' : 'kefu.picture.own')
              : t(pages ? 'kefu.pdf.of' : 'kefu.picture.of', { name })
          }
        />
      )}
      {cardKind && cardId !== undefined && (
        <CardLink card={{ kind: cardKind, id: cardId }} pathOf={pathOf} />
      )}
      {body && (
        <p className={styles.text} dir="auto">
          {body}
        </p>
      )}
      {masked && <p className={styles.masked}>{t('kefu.masked')}</p>}
    </Bubble>
  )
}
