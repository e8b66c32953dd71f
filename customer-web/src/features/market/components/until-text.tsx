import { useTranslation } from 'react-i18next'
import { formatOpening, timeLeftToday } from '@/format/opening-time'
import { formatTime, formatUtc } from '@/format/time'
import { useTimeStyle } from '@/ui/time-text'

/** When a market opens or closes: today with the time left, else the weekday or the date. */
export function UntilText({ at }: { at: number }) {
  const { t } = useTranslation()
  const style = useTimeStyle()
  const now = Date.now()
  const left = timeLeftToday(at, now, style)
  return (
    <time title={formatUtc(at)} dateTime={new Date(at).toISOString()}>
      {left
        ? t('market.today_in', { time: formatTime(at, style), ...left })
        : formatOpening(at, now, style)}
    </time>
  )
}
