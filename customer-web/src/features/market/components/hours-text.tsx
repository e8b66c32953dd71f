import { useTranslation } from 'react-i18next'
import type { Wire } from '@/api/client'
import { formatOpening, timeLeftToday } from '@/format/opening-time'
import { formatTime, formatUtc } from '@/format/time'
import { useTimeStyle } from '@/ui/time-text'

export type HoursTextProps = { status: Wire['ProductStatus'] | undefined }

/** Until when a product trades, in a table's cell. */
export function HoursText({ status }: HoursTextProps) {
  const { t } = useTranslation()
  const style = useTimeStyle()
  if (!status) return null
  const { open, until } = status
  if (!open) return t('quotes.hours.closed')
  if (until === undefined) return t('quotes.hours.always')
  const now = Date.now()
  return (
    <time title={formatUtc(until)} dateTime={new Date(until).toISOString()}>
      {t('quotes.hours.until', {
        time: timeLeftToday(until, now, style)
          ? formatTime(until, style)
          : formatOpening(until, now, style),
      })}
    </time>
  )
}
