import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LazyChart } from '@/features/chart/components/lazy-chart'
import { PeriodPicker } from '@/features/chart/components/period-picker'
import type { PeriodCode } from '@/features/chart/model/periods'
import { changePercent, type Product } from '@/features/market/api/products'
import { SimulatedTag } from '@/features/market/components/simulated-tag'
import { useProductName } from '@/features/market/model/product-name'
import { formatPrice } from '@/format/price'
import { useQuote } from '@/live/use-quote'
import { Button } from '@/ui/button'
import { ChangeText } from '@/ui/change-text'
import { Num } from '@/ui/num'
import { useTradeLink } from '../nav/trade-link'
import styles from './product.module.css'
import { ProductFigures } from './product-figures'

export type ProductSummaryProps = { product: Product }

/** A product's name and price, its changes and ranges, and its chart, with the way to trade it. */
export function ProductSummary({ product }: ProductSummaryProps) {
  const { t } = useTranslation()
  const nameOf = useProductName()
  const [period, setPeriod] = useState<PeriodCode>('1d')
  const trade = useTradeLink()(product.productId)
  return (
    <>
      <section className={styles.block}>
        <div className={styles.head}>
          <p className={styles.name}>{nameOf(product)}</p>
          <LastPrice product={product} />
          {trade && (
            <Button variant="primary" size="large" to={trade} className={styles.trade}>
              {t('product.trade', { symbol: product.productNo })}
            </Button>
          )}
        </div>
        <ProductFigures product={product} />
      </section>
      <section className={styles.block} aria-label={t('trade.chart')}>
        <div className={styles.tools}>
          <PeriodPicker period={period} onChange={setPeriod} />
          <SimulatedTag />
        </div>
        <div className={styles.chart}>
          <LazyChart product={product} period={period} overlays={[]} lines={[]} />
        </div>
      </section>
    </>
  )
}

/** Renders with every tick, on its own. */
function LastPrice({ product }: ProductSummaryProps) {
  const price = useQuote(product.productId)?.bid ?? product.lastPrice
  return (
    <p className={styles.price}>
      <Num>{price === undefined ? '–' : formatPrice(price, product.point)}</Num>
      <ChangeText value={changePercent(product.open24Hours, price)} arrow />
    </p>
  )
}
