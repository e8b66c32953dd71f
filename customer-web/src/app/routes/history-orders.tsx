import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { exportFills, exportHistory, exportOrders } from '@/features/export/api/exports'
import { ExportButton } from '@/features/export/components/export-button'
import { useProducts } from '@/features/market/api/products'
import { EndedOrders } from '@/features/trading/components/history/ended-orders'
import { FillsList } from '@/features/trading/components/history/fills-list'
import { HistoryFilters } from '@/features/trading/components/history/history-filters'
import { HistoryList } from '@/features/trading/components/history/history-list'
import { HistoryPages } from '@/features/trading/components/history/history-pages'
import {
  type HistoryFilter,
  readFilter,
  readList,
  toFillQuery,
  toHistoryQuery,
  toOrderQuery,
  writeFilter,
} from '@/features/trading/model/history-filter'
import { dayOf } from '@/format/days'
import { usePreferences } from '@/theme/preferences'
import { useDesktop } from '@/theme/use-media'
import { pageInQuery } from '@/ui/pagination-pages'
import { TabGroup } from '@/ui/tab-group'
import { WideFrame } from '../parts/wide-frame'
import { Page } from '../shell/page'
import styles from './history-orders.module.css'

const LISTS = ['positions', 'fills', 'orders'] as const

/** Closed positions, fills, or orders that ended without a fill: filtered by the address, with pages. */
export default function HistoryOrders() {
  const { t } = useTranslation()
  const desktop = useDesktop()
  const [params, setParams] = useSearchParams()
  const zone = usePreferences(({ timeZone }) => timeZone)
  const { data: products } = useProducts()
  const today = dayOf(Date.now(), zone)
  const list = readList(params)
  const filter = readFilter(params, today)
  const query = toHistoryQuery(filter, zone)
  const fillQuery = toFillQuery(filter, zone)
  const orderQuery = toOrderQuery(filter, zone)
  const files = {
    positions: () => exportHistory(query),
    fills: () => exportFills(fillQuery),
    orders: () => exportOrders(orderQuery),
  }

  const show = (shown: (typeof LISTS)[number], next: HistoryFilter | null) => {
    const address = next ? writeFilter(next, today) : new URLSearchParams()
    if (shown !== 'positions') address.set('list', shown)
    setParams(address, { replace: true })
  }
  const turn = (page: number) =>
    setParams(
      (now) => {
        const next = new URLSearchParams(now)
        next.set('page', String(page))
        return next
      },
      { replace: true },
    )
  const shared = { products: products ?? [], onReset: () => show(list, null) }

  const content = (
    <>
      <TabGroup
        type="line"
        label={t('history.title')}
        active={LISTS.indexOf(list)}
        onChange={(index) => show(LISTS[index] ?? 'positions', filter)}
        list={LISTS.map((one) => ({
          title: t(one === 'orders' ? 'history.tab.orders' : `trade.${one}`),
        }))}
        className={styles.tabs}
      />
      <HistoryFilters
        list={list}
        filter={filter}
        today={today}
        products={shared.products}
        onChange={(next) => show(list, next)}
      />
      <div className={styles.tools}>
        <ExportButton
          key={list}
          name={`candor-${list}-${filter.from}-${filter.to}`}
          fetchFile={files[list]}
        />
      </div>
      {list === 'orders' && (
        <EndedOrders key={JSON.stringify(orderQuery)} query={orderQuery} {...shared} />
      )}
      {list === 'fills' && (
        <FillsList key={JSON.stringify(fillQuery)} query={fillQuery} {...shared} />
      )}
      {list === 'positions' && desktop && (
        <HistoryPages
          key={JSON.stringify(query)}
          query={query}
          page={pageInQuery(params)}
          onTurn={turn}
          {...shared}
        />
      )}
      {list === 'positions' && !desktop && (
        <HistoryList key={JSON.stringify(query)} query={query} {...shared} />
      )}
    </>
  )
  if (desktop) return <WideFrame title={t('history.title')}>{content}</WideFrame>
  return (
    <Page title={t('history.title')}>
      <div className={styles.phone}>{content}</div>
    </Page>
  )
}
