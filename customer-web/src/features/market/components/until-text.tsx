import { useTranslation } from 'react-i18next'
import { bidiIsolateAuto } from '@/format/bidi-isolate'
import { formatOpening, timeLeftToday } from '@/format/opening-time'
import { formatUtc } from '@/format/time'
import { useTimeStyle } from '@/ui/time-text'

/** When a market opens or closes: today with the time left, else the weekday or the date. */
export function UntilText({ at }: { at: number }) {
  const { t } = useTranslation()
  const style = useTimeStyle()
  const now = Date.now()
  const time = formatOpening(at, now, style)
  const left = timeLeftToday(at, now, style)
  return (
    <time title={formatUtc(at)} dateTime={new Date(at).toISOString()}>
      {left ? t('market.time_in', { time: bidiIsolateAuto(time), ...left }) : time}
    </time>
  )
}
