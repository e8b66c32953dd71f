import { useTranslation } from 'react-i18next'
import { formatFixed } from '@/format/amount'
import { bidiIsolate, bidiIsolateAuto } from '@/format/bidi-isolate'
import { formatOpening } from '@/format/opening-time'
import { useLive } from '@/live/live'
import { Note } from '@/ui/note'
import { useTimeStyle } from '@/ui/time-text'
import type { Config } from '../api/kefu'
import { useChat } from '../model/chat'
import { holidaysText, hoursText, spansOf } from '../model/hours'
import { useOnline } from '../model/use-online'
import styles from './chat.module.css'

export type ChatStatusProps = { config: Config | undefined }

/** Who answers, the waiting time, and the connection state. */
export function ChatStatus({ config }: ChatStatusProps) {
  const { t } = useTranslation()
  const conversation = useChat((chat) => chat.conversation)
  const connected = useLive(({ socket }) => socket === 'open')
  const online = useOnline()
  const estimate = conversation?.position === undefined ? undefined : conversation.estimateSeconds
  const placeText = (position: number, seconds: number | undefined) => {
    const place = { number: bidiIsolate(formatFixed(position, 0)) }
    if (seconds === undefined) return t('kefu.position', place)
    return t('kefu.position.estimate', { ...place, ...minutesOf(seconds) })
  }
  const answered = conversation?.state === 'open' || conversation?.state === 'waiting_customer'

  return (
    <div className={styles.status}>
      <div className={styles.facts} role="status">
        {answered && conversation.agentName ? (
          <p>{t('kefu.with', { name: conversation.agentName })}</p>
        ) : (
          conversation?.position !== undefined && (
            <p>
              <b>{placeText(conversation.position, estimate)}</b>
            </p>
          )
        )}
        {config && !(config.open && (answered || estimate !== undefined)) && (
          <Availability config={config} />
        )}
        {online && !connected && conversation && <p>{t('kefu.connecting')}</p>}
      </div>
      {!online && <Note tone="warning">{t('kefu.offline')}</Note>}
    </div>
  )
}

const SECONDS_OF_MINUTE = 60

/** Seconds as whole minutes, rounded up: the number for the plural form, and as it is written. */
function minutesOf(seconds: number): { count: number; minutes: string } {
  const count = Math.ceil(seconds / SECONDS_OF_MINUTE)
  return { count, minutes: bidiIsolate(formatFixed(count, 0)) }
}

function Availability({ config }: { config: Config }) {
  const { t } = useTranslation()
  const style = useTimeStyle()
  const { open, hours, holidays, changesAt, targetSeconds } = config
  const now = Date.now()
  if (open)
    return targetSeconds !== undefined && <p>{t('kefu.target', minutesOf(targetSeconds))}</p>
  const closed = (date: string) => t('kefu.hours.day_closed', { date })
  return (
    <>
      <p>
        {t('kefu.hours.closed')}{' '}
        {hours.length > 0 &&
          t(style.timeZone === 'utc' ? 'kefu.hours.utc' : 'kefu.hours.local', {
            hours: hoursText(spansOf(hours, now, style), style.tag),
          })}{' '}
        {holidays.length > 0 &&
          t('kefu.hours.holidays', { dates: holidaysText(holidays, style, closed) })}
      </p>
      {changesAt !== undefined && (
        <p>
          {t('kefu.hours.back', { time: bidiIsolateAuto(formatOpening(changesAt, now, style)) })}
        </p>
      )}
    </>
  )
}
