import { useTranslation } from 'react-i18next'
import { bidiIsolateAuto } from '@/format/bidi-isolate'
import { formatOpening } from '@/format/opening-time'
import { useTimeStyle } from '@/ui/time-text'
import { useMarketNow } from '../../model/use-market-now'

const MINUTE_MS = 60_000

export type ClosedTextProps = {
  /** When the market opens; undefined while it is not known. */
  until: number | undefined
}

/** That the market is closed, when it opens, and in how long. */
export function ClosedText({ until }: ClosedTextProps) {
  const { t } = useTranslation()
  const style = useTimeStyle()
  const now = useMarketNow()()
  if (until === undefined) return t('margin.closed')
  const minutes = Math.max(0, Math.ceil((until - now) / MINUTE_MS))
  const left = { hours: Math.floor(minutes / 60) % 24, minutes: minutes % 60 }
  const days = Math.floor(minutes / 1440)
  return t(days > 0 ? 'margin.closed.days' : 'margin.closed.hours', {
    time: bidiIsolateAuto(formatOpening(until, now, style)),
    ...left,
    days,
  })
}
