import { memo } from 'react'
import type { Wire } from '@/api/client'
import { cx } from '@/ui/cx'
import type { DayLine } from '../api/day-lines'
import type { Product } from '../api/products'
import { isLive } from '../model/freshness'
import { useLiveRow } from '../model/use-live-row'
import { useOnScreen } from '../model/use-on-screen'
import { FreshnessDot } from './freshness-dot'
import { LiveChange, LivePrice, LiveSparkline, LiveSpread } from './live-cells'
import { isSameRow } from './row-memo'
import { StarButton } from './star-button'
import styles from './watchlist.module.css'

export type WatchRowProps = {
  product: Product
  status: Wire['ProductStatus'] | undefined
  line: DayLine | undefined
  on: boolean
  favourite: boolean
  onPick: (productId: number) => void
  onToggle: (productId: number) => void
}

/**
 * A product of the terminal's watchlist. Pressing it selects the product; the star shows under the pointer and the
 * focus. The 24 hours and the spread have a column where the list is wide.
 */
export const WatchRow = memo(function WatchRow(props: WatchRowProps) {
  const { product, status, line, on, favourite, onPick, onToggle } = props
  const [ref, visible] = useOnScreen()
  const { row, freshness } = useLiveRow(product, status, visible)
  const { productId, productNo } = product
  return (
    <li ref={ref} className={cx(styles.row, on && styles.on)}>
      <span className={styles.symbol}>
        <span className={styles.mark}>
          <FreshnessDot freshness={freshness} />
          <span className={styles.star}>
            <StarButton symbol={productNo} on={favourite} onClick={() => onToggle(productId)} />
          </span>
        </span>
        <button
          type="button"
          data-pick
          className={styles.pick}
          aria-current={on || undefined}
          onClick={() => onPick(productId)}
        >
          {productNo}
        </button>
      </span>
      <span className={styles.line}>
        <LiveSparkline row={row} line={line} quiet={!isLive(freshness)} width={34} height={18} />
      </span>
      <LivePrice row={row} side="bid" />
      <LivePrice row={row} side="ask" />
      <span className={styles.spread}>
        <LiveSpread row={row} />
      </span>
      <LiveChange row={row} className={styles.change} unknown="0" />
    </li>
  )
}, isSameRow)
