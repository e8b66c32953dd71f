import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDate } from '@/format/time'
import { Button } from '@/ui/button'
import { Tag } from '@/ui/tag'
import { useTimeStyle } from '@/ui/time-text'
import type { ConductFlag } from '../api/score'
import { AppealForm } from './appeal-form'
import styles from './score.module.css'

/** The flags that stand, each with its appeal. */
export function ConductFlags({ flags }: { flags: readonly ConductFlag[] }) {
  const { t } = useTranslation()
  if (flags.length === 0) return null
  return (
    <section className={styles.block}>
      <h2 className={styles.head}>{t('score.flags')}</h2>
      <p className={styles.text}>{t('score.flags.about')}</p>
      <ul className={styles.flags}>
        {flags.map((flag) => (
          <Flag key={flag.flagId} flag={flag} />
        ))}
      </ul>
    </section>
  )
}

function Flag({ flag }: { flag: ConductFlag }) {
  const { t } = useTranslation()
  const timeStyle = useTimeStyle()
  const [writing, setWriting] = useState(false)
  const { flagId, reason, time, lapsesAt, appealable, appealedAt, upheldAt } = flag
  const date = (at: number) => formatDate(at, timeStyle)
  return (
    <li>
      <div className={styles.tools}>
        <div className={styles.words}>
          <span className={styles.name}>{t(`score.reason.${reason}`)}</span>
          <span className={styles.about}>
            {t('score.flag.dates', { from: date(time), until: date(lapsesAt) })}
          </span>
        </div>
        {upheldAt !== undefined && <Tag>{t('score.flag.upheld')}</Tag>}
        {upheldAt === undefined && appealedAt !== undefined && (
          <Tag tone="info">{t('score.flag.appealed')}</Tag>
        )}
        {appealable && !writing && (
          <Button onClick={() => setWriting(true)}>{t('score.flag.appeal')}</Button>
        )}
      </div>
      {upheldAt !== undefined && (
        <p className={styles.small}>{t('score.flag.upheld.about', { date: date(upheldAt) })}</p>
      )}
      {upheldAt === undefined && appealedAt !== undefined && (
        <p className={styles.small}>{t('score.flag.appealed.about', { date: date(appealedAt) })}</p>
      )}
      {appealable && writing && <AppealForm flagId={flagId} onCancel={() => setWriting(false)} />}
    </li>
  )
}
