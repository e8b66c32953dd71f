import { useTranslation } from 'react-i18next'
import type { Wire } from '@/api/client'
import { bidiIsolateAuto } from '@/format/bidi-isolate'
import { formatOpening } from '@/format/opening-time'
import { formatUtc } from '@/format/time'
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
  return (
    <span title={formatUtc(until)}>
      {t('product.opens', {
        time: bidiIsolateAuto(formatOpening(until, Date.now(), style)),
      })}
    </span>
  )
}
