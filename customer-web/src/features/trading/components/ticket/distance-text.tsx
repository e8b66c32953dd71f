import type { Product } from '@/features/market/api/products'
import { useDistanceText } from '@/features/market/model/pips'
import { formatPercent } from '@/format/amount'
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
  /** Also shows the distance in percent of the price. */
  percent?: boolean
}

/** The distance between a price and the current fill price of the order, in the unit of the product. */
export function DistanceText({ product, side, price, quote, percent = false }: DistanceTextProps) {
  const text = useDistanceText(product)
  const distance = quote ? distanceOf(product, side, price, quote) : null
  if (!distance) return <Num>–</Num>
  return (
    <>
      <Num>{text(distance.price)}</Num>
      {percent && (
        <>
          {' · '}
          <Num className={styles.unit}>{formatPercent(distance.percent)}</Num>
        </>
      )}
    </>
  )
}
