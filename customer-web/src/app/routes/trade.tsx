import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Navigate, useLocation } from 'react-router'
import { reasonOf } from '@/api/reason'
import { LazyChart } from '@/features/chart/components/lazy-chart'
import { PeriodPicker } from '@/features/chart/components/period-picker'
import { AVERAGES, chooseChartSettings, useChartSettings } from '@/features/chart/model/chart-store'
import type { Product } from '@/features/market/api/products'
import { ProductHeading } from '@/features/market/components/product-heading'
import { SimulatedTag } from '@/features/market/components/simulated-tag'
import { StarButton } from '@/features/market/components/star-button'
import { SwapFigures } from '@/features/market/components/swap-figures'
import { useFavourites } from '@/features/market/model/favourites'
import { useChosenProduct } from '@/features/market/model/use-chosen-product'
import { useToggleFavourite } from '@/features/market/model/use-toggle-favourite'
import { MovedLineSheet } from '@/features/trading/components/positions/moved-line-sheet'
import { OneClickButtons } from '@/features/trading/components/ticket/one-click-buttons'
import { OrderTicket } from '@/features/trading/components/ticket/order-ticket'
import { QuickMargin } from '@/features/trading/components/ticket/quick-margin'
import { QuickSize } from '@/features/trading/components/ticket/quick-size'
import { QuoteLine } from '@/features/trading/components/ticket/quote-line'
import { SidePicker } from '@/features/trading/components/ticket/side-picker'
import { TermsButton } from '@/features/trading/components/ticket/terms-button'
import { useOrderEntry } from '@/features/trading/model/order-entry'
import { editTicket, type Side } from '@/features/trading/model/ticket-store'
import { useMovedLine } from '@/features/trading/model/use-moved-line'
import { useOrderState } from '@/features/trading/model/use-order-state'
import { useShownTrade } from '@/features/trading/model/use-shown-trade'
import { useTicketOf } from '@/features/trading/model/use-ticket-of'
import { useTradeLines } from '@/features/trading/model/use-trade-lines'
import { formatPrice } from '@/format/price'
import { useIsVisitor } from '@/session/login-request'
import { useTablet, useTerminal } from '@/theme/use-media'
import { Button } from '@/ui/button'
import { EmptyState } from '@/ui/empty-state'
import { ErrorBlock } from '@/ui/error-block'
import { IconButton } from '@/ui/icon-button'
import { Num } from '@/ui/num'
import { Sheet } from '@/ui/sheet/sheet'
import { GuestTicket } from '../parts/guest-ticket'
import styles from '../parts/trade.module.css'
import { TradeDeals } from '../parts/trade-deals'
import { useLiveTitle } from '../use-live-title'
import { useTitle } from '../use-title'
import { useUnreadChat } from '../use-unread-chat'

/** Only a tablet has it here. */
const Watchlist = lazy(async () => {
  const { Watchlist: component } = await import('@/features/market/components/watchlist')
  return { default: component }
})

/**
 * The trade screen of a phone and an upright tablet: price, chart, the trader's positions, and the two buttons that open
 * the order sheet. A tablet has the products beside it.
 */
export default function Trade() {
  const { t } = useTranslation()
  useUnreadChat(true)
  const { product, error, unknown, retry, choose } = useChosenProduct()
  useTitle(product ? product.productNo : t('shell.nav.trade'))
  useLiveTitle(product)
  const { search } = useLocation()
  const tablet = useTablet()
  if (useTerminal()) return <Navigate to={`/pc/trade${search}`} replace />
  if (product) {
    return (
      <div className={tablet ? styles.split : styles.single}>
        {tablet && (
          <div className={styles.list}>
            <Suspense>
              <Watchlist chosen={product.productId} onPick={choose} />
            </Suspense>
          </div>
        )}
        <TradeProduct product={product} />
      </div>
    )
  }
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

function TradeProduct({ product }: { product: Product }) {
  const { t } = useTranslation()
  const [ordering, setOrdering] = useState(false)
  const [foot, setFoot] = useState<HTMLElement | null>(null)
  const { period, averages } = useChartSettings()
  const { moved, move, end } = useMovedLine()
  const lines = useTradeLines(product, moved)
  const marks = useShownTrade(product)
  const state = useOrderState(product)
  const favourites = useFavourites()
  const star = useToggleFavourite(favourites)
  useTicketOf(product)
  const visitor = useIsVisitor()
  const oneClick = useOrderEntry() === 'one-click' && !visitor && product.mode === 'full'
  const order = (side: Side) => {
    editTicket({ side })
    setOrdering(true)
  }
  return (
    <div className={styles.screen} data-toasts="bar">
      <header className={styles.top}>
        <ProductHeading product={product} to="/search" />
        <StarButton
          symbol={product.productNo}
          on={favourites.ids.includes(product.productId)}
          onClick={() => star(product.productId)}
        />
        <TermsButton productId={product.productId} />
      </header>
      <div className={styles.periods}>
        <PeriodPicker period={period} onChange={(next) => chooseChartSettings({ period: next })} />
        <IconButton
          icon="fullScreen"
          label={t('chart.full_screen')}
          to={`/webview/chart?product=${product.productId}&period=${period}`}
        />
      </div>
      <div className={styles.chart}>
        <LazyChart
          product={product}
          period={period}
          overlays={averages ? AVERAGES : []}
          lines={lines}
          marks={marks}
          onMove={move}
        />
      </div>
      <dl className={styles.stats}>
        <div>
          <dt>{t('market.low_24h')}</dt>
          <dd>
            <Num>{formatPrice(product.low24Hours ?? '', product.point)}</Num>
          </dd>
        </div>
        <div>
          <dt>{t('market.high_24h')}</dt>
          <dd>
            <Num>{formatPrice(product.high24Hours ?? '', product.point)}</Num>
          </dd>
        </div>
        <SwapFigures product={product} />
      </dl>
      <div className={styles.source}>
        <SimulatedTag />
      </div>
      <TradeDeals product={product} />
      <div className={styles.bar}>
        {product.mode === 'full' && (
          <QuickSize product={product} onOptions={() => setOrdering(true)} />
        )}
        {oneClick ? (
          <OneClickButtons product={product} state={state} />
        ) : (
          <SidePicker
            product={product}
            quote={state.quote}
            off={state.obstacle !== null && state.obstacle !== 'guest'}
            onPick={order}
          />
        )}
        <div className={styles.line}>
          <QuoteLine quote={state.quote} age={state.age} />
          {product.mode === 'full' && (
            <span className={styles.quick}>
              {oneClick && <>{t('order_settings.entry.one_click')} · </>}
              <QuickMargin product={product} />
            </span>
          )}
        </div>
      </div>
      <Sheet
        open={ordering}
        title={t('trade.order_of', { symbol: product.productNo })}
        onClose={() => setOrdering(false)}
        footer={
          !visitor && product.mode === 'full' && <div ref={setFoot} className={styles.foot} />
        }
      >
        {visitor ? (
          <GuestTicket product={product} path="/trade" />
        ) : (
          <OrderTicket product={product} foot={foot} onFilled={() => setOrdering(false)} />
        )}
      </Sheet>
      {moved && <MovedLineSheet moved={moved} product={product} onClose={end} />}
    </div>
  )
}
