import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { candlesQuery } from '@/features/market/api/candles'
import { changePercent, type Product } from '@/features/market/api/products'
import { DistanceValue } from '@/features/market/components/distance-value'
import { RangeBar } from '@/features/market/components/range-bar'
import { priceAt, rangeOf, spans } from '@/features/market/model/past-prices'
import { useQuote } from '@/live/use-quote'
import { ChangeText } from '@/ui/change-text'
import styles from './product.module.css'
import { useClock } from './use-clock'

export type ProductFiguresProps = { product: Product }

/** A product's changes over several spans, its ranges, and its spread. */
export function ProductFigures({ product }: ProductFiguresProps) {
  const { t } = useTranslation()
  const now = useClock()
  const { productId, point, open24Hours, low24Hours, high24Hours } = product
  const candles = {
    '1h': useQuery(candlesQuery(productId, '1h')).data,
    '1d': useQuery(candlesQuery(productId, '1d')).data,
  }
  const quote = useQuote(productId)
  const price = quote?.bid ?? product.lastPrice
  const days = candles['1d']
  const year = useMemo(() => days && rangeOf(days), [days])
  const change = (from: string | undefined) =>
    from && price ? <ChangeText value={changePercent(from, price)} arrow /> : '–'
  const [hour, ...longer] = spans.map(({ name, ms, period }) => (
    <div key={name}>
      <dt>{t(`product.change.${name}`)}</dt>
      <dd>{change(priceAt(candles[period] ?? [], now - ms))}</dd>
    </div>
  ))
  return (
    <div className={styles.figures}>
      <dl className={styles.changes}>
        {hour}
        <div>
          <dt>{t('product.change.day')}</dt>
          <dd>{change(open24Hours)}</dd>
        </div>
        {longer}
        <div>
          <dt>{t('figure.spread')}</dt>
          <dd>
            <DistanceValue product={product} distance={quote?.spread ?? product.spread} />
          </dd>
        </div>
      </dl>
      <dl className={styles.ranges}>
        <div>
          <dt>{t('market.range_24h')}</dt>
          <dd>
            {low24Hours && high24Hours && price ? (
              <RangeBar low={low24Hours} high={high24Hours} price={price} point={point} />
            ) : (
              '–'
            )}
          </dd>
        </div>
        <div>
          <dt>{t('product.range_year')}</dt>
          <dd>{year && price ? <RangeBar {...year} price={price} point={point} /> : '–'}</dd>
        </div>
      </dl>
    </div>
  )
}
