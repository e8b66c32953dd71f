import { memo } from 'react'
import type { Wire } from '@/api/client'
import { cx } from '@/ui/cx'
import type { DayLine } from '../api/day-lines'
import type { Product } from '../api/products'
import { isLive } from '../model/freshness'
import { useLiveRow } from '../model/use-live-row'
import { useOnScreen } from '../model/use-on-screen'
import { FreshnessDot } from './freshness-dot'
import { LiveChange, LivePrice, LiveSparkline } from './live-cells'
import { isSameRow } from './row-memo'
import styles from './watchlist.module.css'

export type WatchRowProps = {
  product: Product
  status: Wire['ProductStatus'] | undefined
  line: DayLine | undefined
  on: boolean
  onPick: (productId: number) => void
}

/** A product of the terminal's watchlist: symbol, 24 hours, bid and change. Pressing it selects the product. */
export const WatchRow = memo(function WatchRow({
  product,
  status,
  line,
  on,
  onPick,
}: WatchRowProps) {
  const [ref, visible] = useOnScreen()
  const { row, freshness } = useLiveRow(product, status, visible)
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
        <LiveSparkline row={row} line={line} quiet={!isLive(freshness)} width={34} height={18} />
        <LivePrice row={row} side="bid" />
        <LiveChange row={row} className={styles.change} unknown="0" />
      </button>
    </li>
  )
}, isSameRow)
