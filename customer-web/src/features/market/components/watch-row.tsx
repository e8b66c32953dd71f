import { memo } from 'react'
import type { Wire } from '@/api/client'
import { formatPrice } from '@/format/price'
import { ChangeText } from '@/ui/change-text'
import { cx } from '@/ui/cx'
import { Num } from '@/ui/num'
import type { DayLine } from '../api/day-lines'
import type { Product } from '../api/products'
import { isLive } from '../model/freshness'
import { useLiveRow } from '../model/use-live-row'
import { useOnScreen } from '../model/use-on-screen'
import { Flash } from './flash'
import { FreshnessDot } from './freshness-dot'
import { Sparkline } from './sparkline'
import styles from './watchlist.module.css'

export type WatchRowProps = {
  product: Product
  status: Wire['ProductStatus'] | undefined
  line: DayLine | undefined
  on: boolean
  onPick: (productId: number) => void
}

/** One product of the terminal's list: symbol, its day, bid and change. Pressing it chooses the product. */
export const WatchRow = memo(function WatchRow({
  product,
  status,
  line,
  on,
  onPick,
}: WatchRowProps) {
  const [ref, visible] = useOnScreen()
  const { quote, freshness, bid, change } = useLiveRow(product, status, visible)
  return (
    <li ref={ref}>
      <button
        type="button"
        className={cx(styles.row, on && styles.on)}
        aria-current={on || undefined}
        onClick={() => onPick(product.productId)}
      >
        <span className={styles.symbol}>
          <FreshnessDot freshness={freshness} />
          {product.productNo}
        </span>
        <Sparkline
          line={line}
          falling={change?.startsWith('-') ?? false}
          quiet={!isLive(freshness)}
          width={34}
          height={18}
        />
        <Flash price={quote?.bid}>
          <Num>{bid === undefined ? '–' : formatPrice(bid, product.point)}</Num>
        </Flash>
        <ChangeText className={styles.change} value={change ?? '0'} />
      </button>
    </li>
  )
})
