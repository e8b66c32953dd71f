import { memo } from 'react'
import { formatPrice } from '@/format/price'
import { useQuote } from '@/live/use-quote'
import { ChangeText } from '@/ui/change-text'
import { cx } from '@/ui/cx'
import { Num } from '@/ui/num'
import { useProductStatus } from '../api/market-status'
import { changePercent, type Product } from '../api/products'
import styles from './watchlist.module.css'

export type WatchRowProps = { product: Product; on: boolean; onPick: (productId: number) => void }

/** One product of the watchlist: symbol, bid, change of a day. */
export const WatchRow = memo(function WatchRow({ product, on, onPick }: WatchRowProps) {
  const quote = useQuote(product.productId)
  const status = useProductStatus(product.productId)
  const price = quote?.bid ?? product.lastPrice
  return (
    <li>
      <button
        type="button"
        className={cx(styles.row, on && styles.on)}
        aria-current={on || undefined}
        onClick={() => onPick(product.productId)}
      >
        <span className={styles.symbol}>
          <i className={cx(styles.dot, status?.open === false && styles.closed)} aria-hidden />
          {product.productNo}
        </span>
        <Num className={styles.price}>
          {price === undefined ? '–' : formatPrice(price, product.point)}
        </Num>
        <ChangeText className={styles.change} value={changePercent(product.open24Hours, price)} />
      </button>
    </li>
  )
})
