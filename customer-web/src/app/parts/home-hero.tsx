import { useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useDayLines } from '@/features/market/api/day-lines'
import { changePercent, type Product, useProducts } from '@/features/market/api/products'
import { SimulatedTag } from '@/features/market/components/simulated-tag'
import { useHotList } from '@/features/market/model/hot-list'
import { useProductName } from '@/features/market/model/product-name'
import { formatPrice } from '@/format/price'
import { useQuote } from '@/live/use-quote'
import { Button } from '@/ui/button'
import { ChangeText } from '@/ui/change-text'
import { LineChart } from '@/ui/line-chart'
import { Num } from '@/ui/num'
import { useTradeLink } from '../nav/trade-link'
import styles from './home-hero.module.css'

const CHART_HEIGHT = 160

/** The most traded product for visitors: its live price and its last 24 hours. */
export function HomeHero() {
  const { t } = useTranslation()
  const { data: products } = useProducts()
  const { data: hot } = useHotList()
  const product = hot && products?.find(({ productId }) => productId === hot[0])
  return (
    <section className={styles.hero} aria-label={t('home.live_chart')} aria-busy={!product}>
      {product && <HeroProduct product={product} />}
    </section>
  )
}

function HeroProduct({ product }: { product: Product }) {
  const { t } = useTranslation()
  const nameOf = useProductName()
  const linkOf = useTradeLink()
  const line = useDayLines([product.productId]).get(product.productId)
  const price = useQuote(product.productId)?.bid ?? product.lastPrice
  const change = changePercent(product.open24Hours, price)
  const [box, width] = useWidth()
  const data = line ? [...line.line.map(Number), ...(price ? [Number(price)] : [])] : []
  const to = linkOf(product.productId)
  return (
    <>
      <div className={styles.top}>
        <div>
          <h2>
            <bdi dir="ltr">{product.productNo}</bdi>
          </h2>
          <p className={styles.name}>{nameOf(product)}</p>
        </div>
        <div className={styles.price}>
          <b>
            <Num>{price === undefined ? '–' : formatPrice(price, product.point)}</Num>
          </b>
          <ChangeText value={change} arrow />
        </div>
      </div>
      <div ref={box} className={styles.chart}>
        {width > 0 && (
          <LineChart rate={Number(change)} data={data} width={width} height={CHART_HEIGHT} />
        )}
      </div>
      <div className={styles.foot}>
        <span>{t('quotes.day')}</span>
        <SimulatedTag />
        {to && (
          <Button to={to} className={styles.open}>
            {t('home.open_chart')}
          </Button>
        )}
      </div>
    </>
  )
}

/** The width of an element in whole pixels; 0 until it is measured. */
function useWidth() {
  const box = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const measure = () => setWidth(Math.floor(element.clientWidth))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [box, width] as const
}
