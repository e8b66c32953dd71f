import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { bidiIsolateAuto } from '@/format/bidi-isolate'
import { dayOf, shiftDay } from '@/format/days'
import { formatDate } from '@/format/time'
import { usePreferences } from '@/theme/preferences'
import { TimeText, useTimeStyle } from '@/ui/time-text'
import type { Message } from '../api/kefu'
import type { Card } from '../model/cards'
import type { Uploading } from '../model/chat'
import type { Unsent } from '../model/outbox'
import { deliveryStatusOf } from '../model/thread'
import styles from './chat.module.css'
import { EventLine } from './event-line'
import { SentMessage } from './sent-message'
import { UnsentMessage } from './unsent-message'
import { UploadingPicture } from './uploading-picture'

export type MessageListProps = {
  messages: readonly Message[]
  /** The agents' read receipts; null if unknown. */
  marks: { agentGot: number; agentRead: number } | null
  /** Whether a line marks the start of each conversation. */
  divided?: boolean
  unsent?: readonly Unsent[]
  uploading?: readonly Uploading[]
  pathOf: (card: Card) => string | undefined
}

/** The messages, oldest first, with a line per day and per conversation; then unsent ones. */
export function MessageList({
  messages,
  marks,
  divided = false,
  unsent = [],
  uploading = [],
  pathOf,
}: MessageListProps) {
  const zone = usePreferences(({ timeZone }) => timeZone)
  let day = ''
  const dayLine = (at: number) => {
    const before = day
    day = dayOf(at, zone)
    return day === before ? null : <DayLine at={at} day={day} today={dayOf(Date.now(), zone)} />
  }
  const line = ({ convId, createdAt }: Message, before?: Message) => {
    if (!divided || convId === before?.convId) return dayLine(createdAt)
    day = dayOf(createdAt, zone)
    return <BeginLine at={createdAt} />
  }
  return (
    <ol className={styles.messages}>
      {messages.map((message, index) => (
        <Fragment key={message.id}>
          {line(message, messages[index - 1])}
          <li>
            {message.type === 'event' ? (
              <EventLine message={message} />
            ) : (
              <SentMessage
                message={message}
                tick={marks && deliveryStatusOf(message, marks)}
                named={!isSameSender(messages[index - 1], message)}
                pathOf={pathOf}
              />
            )}
          </li>
        </Fragment>
      ))}
      {unsent.map((one) => (
        <Fragment key={one.id}>
          {dayLine(one.at)}
          <li>
            <UnsentMessage unsent={one} />
          </li>
        </Fragment>
      ))}
      {uploading.map((one) => (
        <Fragment key={one.id}>
          {dayLine(one.at)}
          <li>
            <UploadingPicture uploading={one} />
          </li>
        </Fragment>
      ))}
    </ol>
  )
}

function isSameSender(before: Message | undefined, { senderType, senderName }: Message): boolean {
  return (
    before !== undefined &&
    before.type !== 'event' &&
    before.senderType === senderType &&
    before.senderName === senderName
  )
}

/** The line at the start of one of several conversations. */
function BeginLine({ at }: { at: number }) {
  const { t } = useTranslation()
  const date = formatDate(at, useTimeStyle())
  return (
    <li className={styles.begin}>{t('kefu.earlier.begins', { date: bidiIsolateAuto(date) })}</li>
  )
}

function DayLine({ at, day, today }: { at: number; day: string; today: string }) {
  const { t } = useTranslation()
  return (
    <li className={styles.day}>
      {day === today ? (
        t('kefu.day.today')
      ) : day === shiftDay(today, -1) ? (
        t('kefu.day.yesterday')
      ) : (
        <TimeText at={at} shape="date" />
      )}
    </li>
  )
}
