import Drawer from '@mui/material/Drawer'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Navigate, useLocation, useNavigate } from 'react-router'
import { reasonOf } from '@/api/reason'
import { LazyChart } from '@/features/chart/components/lazy-chart'
import { PeriodPicker } from '@/features/chart/components/period-picker'
import { AVERAGES, chooseChartSettings, useChartSettings } from '@/features/chart/model/chart-store'
import type { Product } from '@/features/market/api/products'
import { SimulatedTag } from '@/features/market/components/simulated-tag'
import { StatusBar } from '@/features/market/components/status-bar'
import { Watchlist } from '@/features/market/components/watchlist'
import { useChosenProduct } from '@/features/market/model/use-chosen-product'
import { MovedLineSheet } from '@/features/trading/components/positions/moved-line-sheet'
import { PositionsPanel } from '@/features/trading/components/positions/positions-panel'
import { OrderTicket } from '@/features/trading/components/ticket/order-ticket'
import { useTicket } from '@/features/trading/model/ticket-store'
import { useMovedLine } from '@/features/trading/model/use-moved-line'
import { showingTrade, useShownTrade } from '@/features/trading/model/use-shown-trade'
import { useTradeLines } from '@/features/trading/model/use-trade-lines'
import { useIsVisitor } from '@/session/login-request'
import { useMedia, useTerminal } from '@/theme/use-media'
import { Button } from '@/ui/button'
import { Chip } from '@/ui/chip'
import { EmptyState } from '@/ui/empty-state'
import { ErrorBlock } from '@/ui/error-block'
import { GuestTicket } from '../parts/guest-ticket'
import { PcPanels } from '../parts/pc-panels'
import { PcProductBar } from '../parts/pc-product-bar'
import styles from '../parts/pc-trade.module.css'
import { useLiveTitle } from '../use-live-title'
import { useTitle } from '../use-title'

/** The terminal of a desktop and of a tablet on its side: watchlist, chart, ticket, and the positions panel below. Under 1280 px the watchlist is a drawer. */
export default function PcTrade() {
  const { t } = useTranslation()
  const { product, error, unknown, retry, choose } = useChosenProduct()
  const wide = useMedia('(min-width: 1280px)')
  const market = useTicket(({ kind }) => kind === 'market')
  const terminal = useTerminal()
  const { search } = useLocation()
  const visitor = useIsVisitor()
  const [picking, setPicking] = useState(false)
  const [foot, setFoot] = useState<HTMLElement | null>(null)
  useTitle(product ? product.productNo : t('shell.nav.trade'))
  useLiveTitle(product)
  const navigate = useNavigate()
  const showTrade = (productId: number, positionId: number) =>
    void navigate(showingTrade(`?product=${productId}`, positionId), { replace: true })
  const pick = (productId: number) => {
    choose(productId)
    setPicking(false)
  }
  if (!terminal) return <Navigate to={`/trade${search}`} replace />
  if (!product) {
    return (
      <div className={styles.empty}>
        {error ? (
          <ErrorBlock {...reasonOf(error)} onRetry={retry} />
        ) : (
          unknown && (
            <EmptyState
              text={t('trade.unknown_product')}
              action={<Button to="/quotes">{t('shell.nav.quotes')}</Button>}
            />
          )
        )}
      </div>
    )
  }
  const list = <Watchlist chosen={product.productId} onPick={pick} />
  return (
    <>
      <PcPanels
        list={wide && list}
        chart={<ChartPanel product={product} onList={wide ? undefined : () => setPicking(true)} />}
        ticket={
          <section className={styles.ticket} aria-label={t('trade.ticket')}>
            <h2 className={styles.heading}>
              {t(
                !visitor && market && product.mode === 'full'
                  ? 'trade.market_order'
                  : 'trade.ticket',
              )}
            </h2>
            <div className={styles.scroll}>
              {visitor ? (
                <GuestTicket product={product} path="/pc/trade" />
              ) : (
                <OrderTicket product={product} foot={foot} />
              )}
            </div>
            {!visitor && product.mode === 'full' && <div ref={setFoot} className={styles.foot} />}
          </section>
        }
        bottom={<PositionsPanel product={product} onPick={choose} onTrade={showTrade} />}
        status={<StatusBar />}
      />
      <Drawer
        open={picking && !wide}
        onClose={() => setPicking(false)}
        slotProps={{ paper: { className: styles.drawer, 'aria-label': t('trade.watchlist') } }}
      >
        {list}
      </Drawer>
    </>
  )
}

type ChartPanelProps = { product: Product; onList: (() => void) | undefined }

function ChartPanel({ product, onList }: ChartPanelProps) {
  const { t } = useTranslation()
  const { period, averages } = useChartSettings()
  const { moved, move, end } = useMovedLine()
  const lines = useTradeLines(product, moved)
  const marks = useShownTrade(product)
  return (
    <section className={styles.chart} aria-label={t('trade.chart')}>
      <PcProductBar product={product} onList={onList} />
      <div className={styles.tools}>
        <PeriodPicker period={period} onChange={(next) => chooseChartSettings({ period: next })} />
        <span className={styles.rule} />
        <Chip on={averages} onClick={() => chooseChartSettings({ averages: !averages })}>
          {t('chart.averages')}
        </Chip>
        <span className={styles.grow} />
        <SimulatedTag />
      </div>
      <div className={styles.plot}>
        <LazyChart
          product={product}
          period={period}
          overlays={averages ? AVERAGES : []}
          lines={lines}
          marks={marks}
          onMove={move}
        />
      </div>
      {moved && <MovedLineSheet moved={moved} product={product} onClose={end} />}
    </section>
  )
}
