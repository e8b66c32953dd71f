import { useTranslation } from 'react-i18next'
import { formatFixed } from '@/format/amount'
import { bidiIsolate } from '@/format/bidi-isolate'
import { formatDate } from '@/format/time'
import { Note } from '@/ui/note'
import { Num } from '@/ui/num'
import { Tag } from '@/ui/tag'
import { useTimeStyle } from '@/ui/time-text'
import type { CreditScore } from '../api/score'
import styles from './score.module.css'

export type ScoreCardProps = { score: CreditScore; demo: boolean }

/** The number, where it is between the lowest and the highest, and what it is not. */
export function ScoreCard({ score, demo }: ScoreCardProps) {
  const { t } = useTranslation()
  const timeStyle = useTimeStyle()
  const { least, most, band, day, rules } = score
  const part = (score.score - least) / (most - least)
  const ends = { least: formatFixed(least, 0), most: formatFixed(most, 0) }
  return (
    <section className={styles.block} aria-labelledby="score">
      <h2 id="score" className={styles.head}>
        {t('score.today')}
      </h2>
      <p className={styles.number}>
        <Num>{formatFixed(score.score, 0)}</Num> <Tag tone="accent">{t(`score.band.${band}`)}</Tag>
      </p>
      <div
        className={styles.scale}
        role="meter"
        aria-labelledby="score"
        aria-valuemin={least}
        aria-valuemax={most}
        aria-valuenow={score.score}
        aria-valuetext={t('score.meter', { score: formatFixed(score.score, 0), ...ends })}
      >
        <i style={{ inlineSize: `${(part * 100).toFixed(1)}%` }} />
      </div>
      <p className={styles.ends} aria-hidden>
        <Num>{ends.least}</Num>
        <Num>{ends.most}</Num>
      </p>
      <p className={styles.text}>{t('score.about')}</p>
      <p className={styles.small}>
        {t('score.computed', {
          day: formatDate(Date.parse(day), { ...timeStyle, timeZone: 'utc' }),
          version: bidiIsolate(String(rules)),
        })}
      </p>
      {demo && <Note>{t('score.demo')}</Note>}
    </section>
  )
}
