import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { exportHistory } from '@/features/export/api/exports'
import { ExportButton } from '@/features/export/components/export-button'
import { useProducts } from '@/features/market/api/products'
import { HistoryFilters } from '@/features/trading/components/history-filters'
import { HistoryList } from '@/features/trading/components/history-list'
import { HistoryPages } from '@/features/trading/components/history-pages'
import {
  type HistoryFilter,
  readFilter,
  toHistoryQuery,
  writeFilter,
} from '@/features/trading/model/history-filter'
import { dayOf } from '@/format/days'
import { usePreferences } from '@/theme/preferences'
import { useDesktop } from '@/theme/use-media'
import { pageInQuery } from '@/ui/pagination-pages'
import { Page } from '../shell/page'
import styles from './history-orders.module.css'
import { WideFrame } from './wide-frame'

/** The positions that were closed: filtered by the address, a page at a time. */
export default function HistoryOrders() {
  const { t } = useTranslation()
  const desktop = useDesktop()
  const [params, setParams] = useSearchParams()
  const zone = usePreferences(({ timeZone }) => timeZone)
  const { data: products } = useProducts()
  const today = dayOf(Date.now(), zone)
  const filter = readFilter(params, today)
  const query = toHistoryQuery(filter, zone)
  const key = JSON.stringify(query)

  const change = (next: HistoryFilter) => setParams(writeFilter(next, today), { replace: true })
  const turn = (page: number) =>
    setParams(
      (now) => {
        const next = new URLSearchParams(now)
        next.set('page', String(page))
        return next
      },
      { replace: true },
    )
  const reset = () => setParams({}, { replace: true })

  const filters = (
    <>
      <HistoryFilters filter={filter} today={today} products={products ?? []} onChange={change} />
      <div className={styles.tools}>
        <ExportButton
          name={`candor-positions-${filter.from}-${filter.to}`}
          fetchFile={() => exportHistory(query)}
        />
      </div>
    </>
  )
  if (desktop) {
    return (
      <WideFrame title={t('history.title')}>
        {filters}
        <HistoryPages
          key={key}
          query={query}
          page={pageInQuery(params)}
          products={products ?? []}
          onTurn={turn}
          onReset={reset}
        />
      </WideFrame>
    )
  }
  return (
    <Page title={t('history.title')}>
      <div className={styles.phone}>
        {filters}
        <HistoryList key={key} query={query} products={products ?? []} onReset={reset} />
      </div>
    </Page>
  )
}
