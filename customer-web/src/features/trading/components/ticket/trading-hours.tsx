import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { reasonOf } from '@/api/reason'
import { tradingTimesQuery } from '@/features/market/api/trading-times'
import { formatOpening } from '@/format/opening-time'
import { formatDate, formatTime, formatUtc } from '@/format/time'
import { ErrorBlock } from '@/ui/error-block'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { useTimeStyle } from '@/ui/time-text'
import { useMarketNow } from '../../model/use-market-now'
import styles from './terms-sheet.module.css'

export type TradingHoursProps = { productId: number }

/** When a product trades in the next seven days, in the trader's time zone. */
export function TradingHours({ productId }: TradingHoursProps) {
  const { t } = useTranslation()
  const style = useTimeStyle()
  const now = useMarketNow()
  const { data, error, refetch, isFetching } = useQuery(tradingTimesQuery(productId))
  if (!data && error) {
    return <ErrorBlock {...reasonOf(error)} onRetry={() => void refetch()} retrying={isFetching} />
  }
  if (!data) return <SkeletonRows rows={2} rowHeight={28} />
  if (data.open && data.until === undefined) return <p>{t('terms.always_open')}</p>
  const moment = (at: number, text: string) => (
    <time title={formatUtc(at)} dateTime={new Date(at).toISOString()}>
      {text}
    </time>
  )
  const closeText = (open: number, close: number) =>
    formatDate(open, style) === formatDate(close, style)
      ? formatTime(close, style)
      : formatOpening(close, now(), style)
  return (
    <ul className={styles.hours}>
      {data.intervals.map(({ open, close }) => (
        <li key={open}>
          <bdi>{moment(open, formatOpening(open, now(), style))}</bdi> –{' '}
          <bdi>{moment(close, closeText(open, close))}</bdi>
        </li>
      ))}
    </ul>
  )
}
