import { useTranslation } from 'react-i18next'
import type { Wire } from '@/api/client'
import { reasonOf } from '@/api/reason'
import type { Product } from '@/features/market/api/products'
import { formatFixed, formatPercent } from '@/format/amount'
import { useDesktop } from '@/theme/use-media'
import { ChangeText } from '@/ui/change-text'
import { Disclosure } from '@/ui/disclosure'
import { ErrorBlock } from '@/ui/error-block'
import { LineChart } from '@/ui/line-chart'
import { Num } from '@/ui/num'
import { SkeletonRows } from '@/ui/skeleton-rows'
import type { HistoryQuery } from '../../api/history'
import { usePerformance } from '../../api/performance'
import type { HistoryFilter } from '../../model/history-filter'
import { runningTotals } from '../../model/history-totals'
import { HistoryEmpty } from './history-empty'
import styles from './performance.module.css'
import { ProfitCalendar } from './profit-calendar'

export type PerformanceViewProps = {
  query: HistoryQuery
  /** The days of the query. */
  filter: Pick<HistoryFilter, 'from' | 'to'>
  products: readonly Product[]
  onReset: () => void
}

/** What the closed positions of a period brought: its figures, its course, by day and by product. */
export function PerformanceView({ query, filter, products, onReset }: PerformanceViewProps) {
  const { t } = useTranslation()
  const { data, error, refetch, isFetching } = usePerformance(query)
  if (!data) {
    if (!error) return <SkeletonRows rows={6} rowHeight={56} />
    return <ErrorBlock {...reasonOf(error)} onRetry={() => void refetch()} retrying={isFetching} />
  }
  if (data.total.trades === 0) return <HistoryEmpty onReset={onReset} />
  return (
    <div className={styles.view}>
      <Figures performance={data} />
      <section className={styles.part}>
        <h2>{t('performance.course')}</h2>
        <Course days={data.days} />
      </section>
      <section className={styles.part}>
        <h2>{t('performance.by_day')}</h2>
        <ProfitCalendar from={filter.from} to={filter.to} days={data.days} />
      </section>
      <section className={styles.part}>
        <h2>{t('performance.by_product')}</h2>
        <ProductResults results={data.products} products={products} />
      </section>
      <section className={styles.part}>
        <Disclosure head={t('performance.definitions')} className={styles.more}>
          <dl className={styles.definitions}>
            {DEFINED.map((figure) => (
              <div key={figure}>
                <dt>{t(`performance.${figure}`)}</dt>
                <dd>{t(`performance.define.${figure}`)}</dd>
              </div>
            ))}
          </dl>
        </Disclosure>
      </section>
    </div>
  )
}

const DEFINED = ['net', 'win_rate', 'average_win', 'average_loss', 'profit_factor'] as const

function Figures({ performance }: { performance: Wire['Performance'] }) {
  const { t } = useTranslation()
  const { total } = performance
  const money = (value: string) => <ChangeText kind="number" value={value} />
  const figures = [
    ['net', money(total.net)],
    ['trades', <Num key="trades">{total.trades}</Num>],
    ['win_rate', <Num key="rate">{formatPercent(performance.winRate)}</Num>],
    [
      'profit_factor',
      <Num key="factor">
        {performance.profitFactor ? formatFixed(performance.profitFactor, 2) : '–'}
      </Num>,
    ],
    ['average_win', money(performance.averageWin)],
    ['average_loss', money(performance.averageLoss)],
    ['largest_win', money(performance.largestWin)],
    ['largest_loss', money(performance.largestLoss)],
    ['commission', <Num key="commission">{formatFixed(total.commission, 2)}</Num>],
    ['charges', money(total.charges)],
  ] as const
  return (
    <dl className={styles.figures}>
      {figures.map(([figure, value]) => (
        <div key={figure}>
          <dt>{t(`performance.${figure}`)}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** The sum of the days' results from the first day on, as a line that begins at zero. */
function Course({ days }: { days: readonly Wire['DayEarnings'][] }) {
  const { t } = useTranslation()
  const desktop = useDesktop()
  const sums = runningTotals(days.map(({ earnings }) => earnings.net))
  const last = sums.at(-1) ?? '0'
  return (
    <div className={styles.course}>
      <LineChart
        rate={Number(last)}
        data={sums.map(Number)}
        width={desktop ? 640 : 320}
        height={120}
        onePixel
        still
      />
      <p>
        {t('performance.net')} <ChangeText kind="number" value={last} />
      </p>
    </div>
  )
}

type ProductResultsProps = {
  results: readonly Wire['ProductEarnings'][]
  products: readonly Product[]
}

function ProductResults({ results, products }: ProductResultsProps) {
  const { t } = useTranslation()
  return (
    <ul className={styles.products}>
      {results.map(({ productId, earnings }) => (
        <li key={productId}>
          <b>{products.find((one) => one.productId === productId)?.productNo ?? productId}</b>
          <span>{t('performance.count', { count: earnings.trades, wins: earnings.wins })}</span>
          <ChangeText kind="number" value={earnings.net} />
        </li>
      ))}
    </ul>
  )
}
