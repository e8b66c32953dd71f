import { lazy, Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { reasonOf } from '@/api/reason'
import { LazyChart } from '@/features/chart/components/lazy-chart'
import { PeriodPicker } from '@/features/chart/components/period-picker'
import { AVERAGES } from '@/features/chart/model/chart-store'
import { DEFAULT_PERIOD, isPeriod } from '@/features/chart/model/periods'
import type { Product } from '@/features/market/api/products'
import { SimulatedTag } from '@/features/market/components/simulated-tag'
import { useChosenProduct } from '@/features/market/model/use-chosen-product'
import { MovedLineSheet } from '@/features/trading/components/positions/moved-line-sheet'
import { useMovedLine } from '@/features/trading/model/use-moved-line'
import { useTradeLines } from '@/features/trading/model/use-trade-lines'
import { useSession } from '@/session/session-store'
import { applyPreferences } from '@/theme/preferences'
import { Button } from '@/ui/button'
import { EmptyState } from '@/ui/empty-state'
import { ErrorBlock } from '@/ui/error-block'
import { IconButton } from '@/ui/icon-button'
import { Sheet } from '@/ui/sheet/sheet'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { useTitle } from '../use-title'
import styles from './webview-chart.module.css'

const TradeDeals = lazy(async () => ({
  default: (await import('../parts/trade-deals')).TradeDeals,
}))

/** The full-screen chart: product, period and theme come from the address. It loads no configuration. */
export default function WebviewChart() {
  const { t } = useTranslation()
  const [params, setParams] = useSearchParams()
  const { product, error, unknown, retry } = useChosenProduct()
  const theme = params.get('theme')
  const named = params.get('period')
  const period = isPeriod(named) ? named : DEFAULT_PERIOD
  const guest = useSession(({ token }) => token === null)
  useTitle(product ? product.productNo : t('chart.title'))

  useEffect(() => {
    if (theme === 'light' || theme === 'dark') applyPreferences({ themeMode: theme })
  }, [theme])

  return (
    <main className={styles.screen}>
      <div className={styles.tools}>
        <IconButton icon="back" label={t('ui.back')} onClick={() => window.history.back()} />
        <div className={styles.periods}>
          <PeriodPicker
            period={period}
            onChange={(next) =>
              setParams(
                (before) => {
                  before.set('period', next)
                  return before
                },
                { replace: true },
              )
            }
          />
        </div>
        <span className={styles.source}>
          <SimulatedTag />
        </span>
        {product && !guest && <ChartPositions product={product} />}
      </div>
      {product && <FullChart product={product} period={period} />}
      {!product && error !== null && error !== undefined && (
        <ErrorBlock {...reasonOf(error)} onRetry={retry} />
      )}
      {unknown && (
        <EmptyState
          text={t('trade.unknown_product')}
          action={<Button onClick={() => window.history.back()}>{t('ui.back')}</Button>}
        />
      )}
    </main>
  )
}

function FullChart({
  product,
  period,
}: {
  product: Product
  period: Parameters<typeof LazyChart>[0]['period']
}) {
  const { moved, move, end } = useMovedLine()
  const lines = useTradeLines(product, moved)
  return (
    <>
      <LazyChart
        product={product}
        period={period}
        overlays={AVERAGES}
        lines={lines}
        onMove={move}
      />
      {moved && <MovedLineSheet moved={moved} product={product} onClose={end} />}
    </>
  )
}

/** The positions and orders behind the chart lines, so that prices can be typed and are reachable by keyboard. */
function ChartPositions({ product }: { product: Product }) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  const label = t('waiting.deals', { symbol: product.productNo })
  return (
    <>
      <IconButton icon="orders" label={label} onClick={() => setOpen(true)} />
      <Sheet open={open} title={label} width={960} onClose={() => setOpen(false)}>
        <Suspense fallback={<SkeletonRows rows={4} />}>
          <div className={styles.list}>
            <TradeDeals product={product} />
          </div>
        </Suspense>
      </Sheet>
    </>
  )
}
