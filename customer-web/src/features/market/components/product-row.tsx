import { memo } from 'react'
import { cx } from '@/ui/cx'
import { isLive } from '../model/freshness'
import { useProductName } from '../model/product-name'
import { useLiveRow } from '../model/use-live-row'
import { useOnScreen } from '../model/use-on-screen'
import { FreshnessDot } from './freshness-dot'
import { LiveChange, LivePrice, LiveSparkline, LiveTime } from './live-cells'
import { OpensText } from './opens-text'
import styles from './product-row.module.css'
import { isSameContent, isSameRow, type LiveRowProps, type RowProps } from './row-memo'
import { StarButton } from './star-button'
import { SymbolLink } from './symbol-link'

export type ProductRowProps = RowProps

/** A product row: symbol and name, the last 24 hours, price and change. */
export const ProductRow = memo(function ProductRow(props: ProductRowProps) {
  const [ref, visible] = useOnScreen()
  return (
    <li ref={ref} className={cx(styles.row, props.onToggle && styles.starred)}>
      <Content {...props} visible={visible} />
    </li>
  )
}, isSameRow)

const Content = memo(function Content(props: LiveRowProps) {
  const { product, status, line, to, favourite = false, onToggle, onOpen, visible } = props
  const { row, freshness, quoted } = useLiveRow(product, status, visible)
  const nameOf = useProductName()
  const shut = freshness === 'closed' || freshness === 'halted'
  // A stale price is shown with its time.
  const old = freshness === 'stale' && quoted
  return (
    <>
      <div className={styles.product}>
        <div className={styles.symbol}>
          <SymbolLink product={product} to={to} onOpen={onOpen} />
          <FreshnessDot freshness={freshness} />
        </div>
        <div className={styles.name}>{nameOf(product)}</div>
      </div>
      <LiveSparkline row={row} line={line} quiet={!isLive(freshness)} width={onToggle ? 48 : 72} />
      <div className={cx(styles.figures, !isLive(freshness) && styles.quiet)}>
        <div className={styles.price}>
          <LivePrice row={row} side="bid" />
        </div>
        <div className={styles.change}>
          {shut && <OpensText status={status} halted={freshness === 'halted'} />}
          {old && <LiveTime row={row} />}
          {!shut && !old && <LiveChange row={row} arrow />}
        </div>
      </div>
      {onToggle && (
        <StarButton
          symbol={product.productNo}
          on={favourite}
          onClick={() => onToggle(product.productId)}
        />
      )}
    </>
  )
}, isSameContent)
