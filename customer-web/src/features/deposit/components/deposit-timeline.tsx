import { useTranslation } from 'react-i18next'
import { serverNow } from '@/api/request-headers'
import { formatDate } from '@/format/time'
import { TimeText, useTimeStyle } from '@/ui/time-text'
import type { Deposit } from '../api/deposits'
import { timelineOf } from '../model/timeline'
import styles from './deposit-timeline.module.css'

export type DepositTimelineProps = { deposit: Deposit }

/** The deposit's timeline: points with a label and, once reached, a time. */
export function DepositTimeline({ deposit }: DepositTimelineProps) {
  const { t } = useTranslation()
  const style = useTimeStyle()
  const today = formatDate(serverNow(), style)
  return (
    <ol className={styles.line} aria-label={t('deposit.timeline.label')}>
      {timelineOf(deposit).map(({ text, phase, at }) => (
        <li
          key={text}
          className={styles[phase]}
          aria-current={phase === 'now' ? 'step' : undefined}
        >
          {t(text)}
          <span className="visually-hidden">: {t(`deposit.timeline.phase.${phase}`)}</span>
          {at !== undefined && (
            <span className={styles.time}>
              <TimeText at={at} shape={formatDate(at, style) === today ? 'time' : 'date'} />
            </span>
          )}
        </li>
      ))}
    </ol>
  )
}
