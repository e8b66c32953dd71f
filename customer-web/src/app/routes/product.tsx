import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { reasonOf } from '@/api/reason'
import { LazyChart } from '@/features/chart/components/lazy-chart'
import { PeriodPicker } from '@/features/chart/components/period-picker'
import type { PeriodCode } from '@/features/chart/model/periods'
import { changePercent, type Product, useProducts } from '@/features/market/api/products'
import { SimulatedTag } from '@/features/market/components/simulated-tag'
import { StarButton } from '@/features/market/components/star-button'
import { useFavourites } from '@/features/market/model/favourites'
import { useProductName } from '@/features/market/model/product-name'
import { useToggleFavourite } from '@/features/market/model/use-toggle-favourite'
import { ProductTerms } from '@/features/trading/components/ticket/product-terms'
import { formatPrice } from '@/format/price'
import { useQuote } from '@/live/use-quote'
import { Button } from '@/ui/button'
import { ChangeText } from '@/ui/change-text'
import { EmptyState } from '@/ui/empty-state'
import { ErrorBlock } from '@/ui/error-block'
import { Num } from '@/ui/num'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { ProductFigures } from '../parts/product-figures'
import { useTradeLink } from '../parts/trade-link'
import { Page } from '../shell/page'
import { useLiveTitle } from '../use-live-title'
import styles from './product.module.css'

/** A product for whoever wants to know it: its price, changes and ranges, what it is, and its terms. */
export default function ProductPage() {
  const { t } = useTranslation()
  const [params] = useSearchParams()
  const { data, error, refetch } = useProducts()
  const id = params.get('product')
  const product = data?.find((one) => String(one.productId) === id || one.productNo === id)
  if (product) return <OneProduct key={product.productId} product={product} />
  return (
    <Page title={t('figure.product')}>
      {!data && !error && <SkeletonRows rows={8} />}
      {!data && error && <ErrorBlock {...reasonOf(error)} onRetry={() => void refetch()} />}
      {data && (
        <EmptyState
          text={t('trade.unknown_product')}
          action={<Button to="/quotes">{t('shell.nav.quotes')}</Button>}
        />
      )}
    </Page>
  )
}

function OneProduct({ product }: { product: Product }) {
  const { t } = useTranslation()
  const nameOf = useProductName()
  const [period, setPeriod] = useState<PeriodCode>('1d')
  const favourites = useFavourites()
  const star = useToggleFavourite(favourites)
  const linkOf = useTradeLink()
  useLiveTitle(product)
  const { productId, productNo, base, quote, type } = product
  const trade = linkOf(productId)
  return (
    <Page
      wide
      title={productNo}
      aside={
        <StarButton
          symbol={productNo}
          on={favourites.ids.includes(productId)}
          onClick={() => star(productId)}
        />
      }
    >
      <div className={styles.columns}>
        <div className={styles.main}>
          <section className={styles.block}>
            <div className={styles.head}>
              <p className={styles.name}>{nameOf(product)}</p>
              <LastPrice product={product} />
              {trade && (
                <Button variant="primary" size="large" to={trade} className={styles.trade}>
                  {t('product.trade', { symbol: productNo })}
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
          <section className={styles.block}>
            <h2>{t('product.about')}</h2>
            <p className={styles.text}>{t(`product.about.${type}`, { base, quote })}</p>
          </section>
        </div>
        <section className={styles.block}>
          <h2>{t('trade.terms')}</h2>
          <ProductTerms product={product} />
        </section>
      </div>
    </Page>
  )
}

/** Renders with every tick, on its own. */
function LastPrice({ product }: { product: Product }) {
  const price = useQuote(product.productId)?.bid ?? product.lastPrice
  return (
    <p className={styles.price}>
      <Num>{price === undefined ? '–' : formatPrice(price, product.point)}</Num>
      <ChangeText value={changePercent(product.open24Hours, price)} arrow />
    </p>
  )
}
