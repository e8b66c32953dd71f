import type { Chart, Crosshair, KLineData } from 'klinecharts'
import { useEffect, useState } from 'react'
import type { Product } from '@/features/market/api/products'
import { formatPrice } from '@/format/price'
import { useQuote } from '@/live/use-quote'
import type { PeriodCode } from '../model/periods'
import styles from './price-chart.module.css'

export type ChartLegendProps = { chart: Chart; product: Product; period: PeriodCode }

/** Open, high, low and close of the candle under the crosshair, or of the current one. */
export function ChartLegend({ chart, product, period }: ChartLegendProps) {
  const [pointed, setPointed] = useState<KLineData | null>(null)
  useQuote(product.productId)

  useEffect(() => {
    const follow = (data?: unknown) =>
      setPointed((data as Crosshair | undefined)?.kLineData ?? null)
    chart.subscribeAction('onCrosshairChange', follow)
    return () => chart.unsubscribeAction('onCrosshairChange', follow)
  }, [chart])

  const bar = pointed ?? chart.getDataList().at(-1)
  const price = (value: number) => formatPrice(value.toFixed(product.point), product.point)
  return (
    <div className={styles.legend}>
      <b>
        {product.productNo} · {period}
      </b>
      {bar && (
        <>
          <span>
            O <b>{price(bar.open)}</b>
          </span>
          <span>
            H <b>{price(bar.high)}</b>
          </span>
          <span>
            L <b>{price(bar.low)}</b>
          </span>
          <span>
            C <b>{price(bar.close)}</b>
          </span>
        </>
      )}
    </div>
  )
}
