import { useTranslation } from 'react-i18next'
import type { Product } from '@/features/market/api/products'
import { formatAmount } from '@/format/amount'
import { formatPrice } from '@/format/price'
import type { LiveQuote } from '@/live/quote-store'
import { Num } from '@/ui/num'
import { distanceOf } from '../../model/pending-order'
import type { Side } from '../../model/ticket-store'
import styles from './order-ticket.module.css'

export type DistanceTextProps = {
  product: Product
  side: Side
  price: string
  quote: LiveQuote | undefined
  /** Also shows the distance in points. */
  points?: boolean
}

/** The distance between a price and the current fill price of the order. */
export function DistanceText({ product, side, price, quote, points = false }: DistanceTextProps) {
  const { t } = useTranslation()
  const distance = quote ? distanceOf(product, side, price, quote) : null
  if (!distance) return <Num>–</Num>
  return (
    <>
      <Num>{formatPrice(distance.price, product.point)}</Num>
      {points && (
        <span className={styles.unit}>
          {' '}
          {t('waiting.points', {
            count: distance.points,
            points: formatAmount(distance.points),
          })}
        </span>
      )}
    </>
  )
}
