import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router'
import { exportFills, exportHistory, exportOrders } from '@/features/export/api/exports'
import { useExport } from '@/features/export/model/use-export'
import { useProducts } from '@/features/market/api/products'
import { EndedOrders } from '@/features/trading/components/history/ended-orders'
import { FillsList } from '@/features/trading/components/history/fills-list'
import { HistoryBar } from '@/features/trading/components/history/history-bar'
import { HistoryList } from '@/features/trading/components/history/history-list'
import { HistoryPages } from '@/features/trading/components/history/history-pages'
import { PerformanceView } from '@/features/trading/components/history/performance-view'
import {
  HISTORY_LISTS,
  type HistoryFilter,
  type HistoryList as ListName,
  readFilter,
  readList,
  toFillQuery,
  toHistoryQuery,
  toOrderQuery,
  writeFilter,
} from '@/features/trading/model/history-filter'
import { showingTrade } from '@/features/trading/model/use-shown-trade'
import { dayOf } from '@/format/days'
import type { TextKey } from '@/i18n/i18n'
import { usePreferences } from '@/theme/preferences'
import { useDesktop } from '@/theme/use-media'
import { PageMenu } from '@/ui/page-menu'
import { pageInQuery } from '@/ui/pagination-pages'
import { TabGroup } from '@/ui/tab-group'
import { useTradeLink } from '../nav/trade-link'
import styles from '../parts/history-orders.module.css'
import { Page } from '../parts/page'
import { WideFrame } from '../parts/wide-frame'

const TITLES = {
  positions: 'history.tab.positions',
  fills: 'trade.fills',
  orders: 'history.tab.orders',
  performance: 'history.tab.performance',
} as const satisfies Record<ListName, TextKey>

type Shown = { productId: number; positionId: number }

/** Closed positions, their result, fills, or orders that ended without a fill: filtered by the address. */
export default function HistoryOrders() {
  const { t } = useTranslation()
  const desktop = useDesktop()
  const navigate = useNavigate()
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
    performance: () => exportHistory(query),
  }
  const file = useExport(`candor-${list}-${filter.from}-${filter.to}`, files[list])

  const show = (shown: ListName, next: HistoryFilter | null) => {
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
  const tradeLink = useTradeLink()
  const shared = { products: products ?? [], onReset: () => show(list, null) }
  const chartPath = ({ productId, positionId }: Shown) => {
    const path = tradeLink(productId)
    return path && showingTrade(path, positionId)
  }
  const openChart = (productId: number, positionId: number) => {
    const path = chartPath({ productId, positionId })
    if (path) void navigate(path)
  }

  const content = (
    <>
      <TabGroup
        type="line"
        label={t('history.title')}
        active={HISTORY_LISTS.indexOf(list)}
        onChange={(index) => show(HISTORY_LISTS[index] ?? 'positions', filter)}
        list={HISTORY_LISTS.map((one) => ({ title: t(TITLES[one]) }))}
        className={styles.tabs}
      />
      <HistoryBar
        list={list}
        filter={filter}
        today={today}
        products={shared.products}
        onChange={(next) => show(list, next)}
      />
      {list === 'orders' && (
        <EndedOrders key={JSON.stringify(orderQuery)} query={orderQuery} {...shared} />
      )}
      {list === 'fills' && (
        <FillsList
          key={JSON.stringify(fillQuery)}
          query={fillQuery}
          onChart={openChart}
          {...shared}
        />
      )}
      {list === 'positions' && desktop && (
        <HistoryPages
          key={JSON.stringify(query)}
          query={query}
          page={pageInQuery(params)}
          onTurn={turn}
          chartPath={chartPath}
          {...shared}
        />
      )}
      {list === 'performance' && <PerformanceView query={query} filter={filter} {...shared} />}
      {list === 'positions' && !desktop && (
        <HistoryList key={JSON.stringify(query)} query={query} chartPath={chartPath} {...shared} />
      )}
    </>
  )
  const menu = (
    <PageMenu
      label={t('history.menu')}
      items={[
        {
          icon: 'download',
          text: t('export.csv'),
          disabled: file.isPending,
          onClick: () => file.mutate(),
        },
        { icon: 'news', text: t('statement.title'), to: '/statement' },
      ]}
    />
  )
  if (desktop)
    return (
      <WideFrame title={t('history.title')} aside={menu}>
        {content}
      </WideFrame>
    )
  return (
    <Page title={t('history.title')} aside={menu}>
      <div className={styles.phone}>{content}</div>
    </Page>
  )
}
