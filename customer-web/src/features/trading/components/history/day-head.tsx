import { dayOf } from '@/format/days'
import { formatWeekdayDate } from '@/format/time'
import { ChangeText } from '@/ui/change-text'
import { useTimeStyle } from '@/ui/time-text'
import styles from './history.module.css'

export type DayHeadProps = {
  /** A moment of the day. */
  at: number
  /** The net of the day's positions, also of those not loaded yet; undefined while it is unknown. */
  net: string | undefined
}

/** The heading of a day in a list: its date and its result. */
export function DayHead({ at, net }: DayHeadProps) {
  const style = useTimeStyle()
  return (
    <span className={styles.day}>
      <time dateTime={dayOf(at, style.timeZone)}>{formatWeekdayDate(at, style)}</time>
      {net !== undefined && <ChangeText kind="number" value={net} />}
    </span>
  )
}
