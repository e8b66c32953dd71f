import {
  formatDate,
  formatDateTime,
  formatDateTimeSeconds,
  formatTime,
  formatTimeSeconds,
  formatUtc,
  type TimeStyle,
} from '@/format/time'
import { regionalTag } from '@/i18n/region'
import { useLanguage } from '@/i18n/use-language'
import { usePreferences } from '@/theme/preferences'

/** This trader's time format: language, region, clock and zone. */
export function useTimeStyle(): TimeStyle {
  const tag = regionalTag(useLanguage(), navigator.languages)
  const hourCycle = usePreferences((preferences) => preferences.hourCycle)
  const timeZone = usePreferences((preferences) => preferences.timeZone)
  return { tag, hourCycle, timeZone }
}

const formats = {
  time: formatTime,
  timeSeconds: formatTimeSeconds,
  date: formatDate,
  dateTime: formatDateTime,
  dateTimeSeconds: formatDateTimeSeconds,
} as const

export type TimeTextProps = {
  /** Milliseconds since 1970. */
  at: number
  shape?: keyof typeof formats
}

/** A time in the trader's format, with UTC on hover. */
export function TimeText({ at, shape = 'dateTime' }: TimeTextProps) {
  const style = useTimeStyle()
  const valid = Number.isFinite(at) && Math.abs(at) <= 8.64e15
  return (
    <time
      className="n"
      title={formatUtc(at)}
      {...(valid ? { dateTime: new Date(at).toISOString() } : {})}
    >
      {formats[shape](at, style)}
    </time>
  )
}
