import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { reasonOf } from '@/api/reason'
import { LazyChart } from '@/features/chart/components/lazy-chart'
import { PeriodPicker } from '@/features/chart/components/period-picker'
import { AVERAGES, useChartSettings } from '@/features/chart/model/chart-store'
import type { Product } from '@/features/market/api/products'
import { ProductHeading } from '@/features/market/components/product-heading'
import { SimulatedTag } from '@/features/market/components/simulated-tag'
import { useChosenProduct } from '@/features/market/model/use-chosen-product'
import { OrderTicket } from '@/features/trading/components/order-ticket'
import { PositionCard } from '@/features/trading/components/position-card'
import { QuoteLine } from '@/features/trading/components/quote-line'
import { SidePicker } from '@/features/trading/components/side-picker'
import { TermsButton } from '@/features/trading/components/terms-button'
import { editTicket, type Side } from '@/features/trading/model/ticket-store'
import { useOrderState } from '@/features/trading/model/use-order-state'
import { useTradeLines } from '@/features/trading/model/use-trade-lines'
import { formatPrice } from '@/format/price'
import { useAccount } from '@/live/account-store'
import { Button } from '@/ui/button'
import { EmptyState } from '@/ui/empty-state'
import { ErrorBlock } from '@/ui/error-block'
import { IconButton } from '@/ui/icon-button'
import { Num } from '@/ui/num'
import { Sheet } from '@/ui/sheet/sheet'
import { useTitle } from '../use-title'
import styles from './trade.module.css'

/** Trading on a phone: price, chart, one's positions, and the two buttons that open the order sheet. */
export default function Trade() {
  const { t } = useTranslation()
  const { product, error, unknown, retry } = useChosenProduct()
  useTitle(product ? product.productNo : t('shell.nav.trade'))
  if (product) return <TradeProduct product={product} />
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
  const { period, averages } = useChartSettings()
  const lines = useTradeLines(product)
  const state = useOrderState(product)
  const positions = useAccount((account) => account.positions)
  const own = (positions ?? []).filter((one) => one.productId === product.productId)
  const order = (side: Side) => {
    editTicket({ side })
    setOrdering(true)
  }
  return (
    <div className={styles.screen}>
      <header className={styles.top}>
        <ProductHeading product={product} to="/search" />
        <TermsButton productId={product.productId} />
      </header>
      <div className={styles.periods}>
        <PeriodPicker
          period={period}
          onChange={(next) => useChartSettings.setState({ period: next })}
        />
        <span className={styles.grow} />
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
        />
        <span className={styles.source}>
          <SimulatedTag />
        </span>
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
        <div>
          <dt>{t('market.open_24h')}</dt>
          <dd>
            <Num>{formatPrice(product.open24Hours ?? '', product.point)}</Num>
          </dd>
        </div>
      </dl>
      <div className={styles.positions}>
        {own.map((position) => (
          <PositionCard key={position.positionId} position={position} product={product} />
        ))}
        {positions !== null && positions.length > own.length && (
          <Link className={styles.more} to="/order">
            {t('trade.other_positions', { count: positions.length - own.length })}
          </Link>
        )}
      </div>
      <div className={styles.bar}>
        <SidePicker
          product={product}
          quote={state.quote}
          off={state.obstacle !== null && state.obstacle !== 'guest'}
          onPick={order}
        />
        <QuoteLine quote={state.quote} age={state.age} />
      </div>
      <Sheet
        open={ordering}
        title={t('trade.order_of', { symbol: product.productNo })}
        onClose={() => setOrdering(false)}
      >
        <OrderTicket product={product} onFilled={() => setOrdering(false)} />
      </Sheet>
    </div>
  )
}
