import { useTranslation } from 'react-i18next'
import type { Wire } from '@/api/client'
import { formatOpening, timeLeftToday } from '@/format/opening-time'
import { formatTime, formatUtc } from '@/format/time'
import { useTimeStyle } from '@/ui/time-text'

export type OpensTextProps = {
  status: Wire['ProductStatus'] | undefined
  halted: boolean
}

/** Why a product is not trading, and when it opens. */
export function OpensText({ status, halted }: OpensTextProps) {
  const { t } = useTranslation()
  const style = useTimeStyle()
  if (halted) return t('product.freshness.halted')
  if (status?.until === undefined) return t('product.freshness.closed')
  const { until } = status
  const now = Date.now()
  return (
    <span title={formatUtc(until)}>
      {timeLeftToday(until, now, style)
        ? t('product.opens_today', { time: formatTime(until, style) })
        : t('product.opens', { time: formatOpening(until, now, style) })}
    </span>
  )
}
