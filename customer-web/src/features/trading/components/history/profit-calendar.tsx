import { useTranslation } from 'react-i18next'
import type { Wire } from '@/api/client'
import { directionOf, formatSigned } from '@/format/amount'
import { formatDate, formatMonth } from '@/format/time'
import { formatShortWeekday } from '@/format/weekday'
import { cx } from '@/ui/cx'
import { Num } from '@/ui/num'
import { useTimeStyle } from '@/ui/time-text'
import { type CalendarCell, calendarOf } from '../../model/profit-calendar'
import styles from './performance.module.css'

export type ProfitCalendarProps = {
  from: string
  to: string
  days: readonly Wire['DayEarnings'][]
}

const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7] as const

/** The result of each day, a table for each month. */
export function ProfitCalendar({ from, to, days }: ProfitCalendarProps) {
  // A calendar day is the same in every time zone.
  const style = { ...useTimeStyle(), timeZone: 'utc' } as const
  const nets = new Map(days.map(({ day, earnings }) => [day, earnings.net]))
  return (
    <div className={styles.months}>
      {calendarOf(from, to, nets).map(({ month, weeks }) => (
        <table key={month} className={styles.month}>
          <caption>{formatMonth(Date.parse(`${month}-01`), style)}</caption>
          <thead>
            <tr>
              {WEEKDAYS.map((weekday) => (
                <th key={weekday} scope="col">
                  {formatShortWeekday(weekday, style.tag)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {weeks.map((week, index) => (
              <tr key={week.find((cell) => cell)?.day ?? index}>
                {week.map((cell, weekday) => (
                  <Day key={WEEKDAYS[weekday]} cell={cell} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      ))}
    </div>
  )
}

function Day({ cell }: { cell: CalendarCell }) {
  const { t } = useTranslation()
  const style = { ...useTimeStyle(), timeZone: 'utc' } as const
  if (!cell) return <td />
  const { day, net } = cell
  return (
    <td
      className={cx(styles.cell, net !== undefined && styles[directionOf(net, 2)])}
      title={net && `${formatDate(Date.parse(day), style)}: ${formatSigned(net)}`}
    >
      <span>{Number(day.slice(8))}</span>
      {net === undefined ? (
        <span className="visually-hidden">{t('performance.no_trades')}</span>
      ) : (
        <Num>{formatSigned(net)}</Num>
      )}
    </td>
  )
}
