import { useTranslation } from 'react-i18next'
import { ListFoot } from '@/features/list/components/list-foot'
import { formatFixed } from '@/format/amount'
import { formatDate } from '@/format/time'
import { useDesktop } from '@/theme/use-media'
import { LineChart } from '@/ui/line-chart'
import { Num } from '@/ui/num'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { useTimeStyle } from '@/ui/time-text'
import { type CreditScoreDay, useScoreHistory } from '../api/score'
import styles from './score.module.css'

/** The scores by day: as a line, and as a table. */
export function ScoreHistory() {
  const { t } = useTranslation()
  const timeStyle = useTimeStyle()
  const query = useScoreHistory()
  const days = query.data?.pages.flatMap((page) => page.list) ?? []
  return (
    <section className={styles.block}>
      <h2 className={styles.head}>{t('score.history')}</h2>
      {query.isPending && <SkeletonRows rows={3} rowHeight={44} />}
      {days.length > 1 && <Course days={days} />}
      {days.length > 0 && (
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{t('score.history.day')}</th>
              <th scope="col">{t('score.history.score')}</th>
              <th scope="col">{t('score.history.band')}</th>
            </tr>
          </thead>
          <tbody>
            {days.map(({ day, score, band }) => (
              <tr key={day}>
                <td>{formatDate(Date.parse(day), { ...timeStyle, timeZone: 'utc' })}</td>
                <td>
                  <Num>{formatFixed(score, 0)}</Num>
                </td>
                <td>{t(`score.band.${band}`)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {days.length === 1 && <p className={styles.small}>{t('score.history.first')}</p>}
      <ListFoot query={query} />
    </section>
  )
}

/** The days as a line, oldest first. */
function Course({ days }: { days: readonly CreditScoreDay[] }) {
  const desktop = useDesktop()
  const scores = days.map(({ score }) => score).reverse()
  const change = (scores.at(-1) ?? 0) - (scores[0] ?? 0)
  return (
    <LineChart
      rate={change}
      data={scores}
      width={desktop ? 640 : 320}
      height={120}
      lineUpColor="var(--accent)"
      lineDownColor="var(--accent)"
      upBgColor="transparent"
      downBgColor="transparent"
      still
    />
  )
}
