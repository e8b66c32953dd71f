import { memo } from 'react'
import { directionOf } from '@/format/amount'
import { formatPrice } from '@/format/price'
import { ChangeText } from '@/ui/change-text'
import { cx } from '@/ui/cx'
import { Num } from '@/ui/num'
import { TimeText } from '@/ui/time-text'
import { isLive } from '../model/freshness'
import { useProductName } from '../model/product-name'
import { useLiveRow } from '../model/use-live-row'
import { useOnScreen } from '../model/use-on-screen'
import { Flash } from './flash'
import { FreshnessDot } from './freshness-dot'
import { OpensText } from './opens-text'
import styles from './product-row.module.css'
import { isSameRow, type LiveRowProps, type RowProps } from './row-memo'
import { Sparkline } from './sparkline'
import { StarButton } from './star-button'
import { SymbolLink } from './symbol-link'

export type ProductRowProps = RowProps

/** A product in a list: symbol and name, its last 24 hours, price and change. */
export function ProductRow(props: ProductRowProps) {
  const [ref, visible] = useOnScreen()
  return (
    <li ref={ref} className={cx(styles.row, props.onToggle && styles.starred)}>
      <Content {...props} visible={visible} />
    </li>
  )
}

const Content = memo(function Content(props: LiveRowProps) {
  const { product, status, line, to, favourite = false, onToggle, onOpen, visible } = props
  const { quote, freshness, bid, change } = useLiveRow(product, status, visible)
  const nameOf = useProductName()
  const shut = freshness === 'closed' || freshness === 'halted'
  // An old price stands with its time.
  const old = freshness === 'stale' && quote !== undefined
  return (
    <>
      <div className={styles.product}>
        <div className={styles.symbol}>
          <SymbolLink product={product} to={to} onOpen={onOpen} />
          <FreshnessDot freshness={freshness} />
        </div>
        <div className={styles.name}>{nameOf(product)}</div>
      </div>
      <Sparkline
        line={line}
        falling={directionOf(change, 2) === 'down'}
        quiet={!isLive(freshness)}
        width={onToggle ? 48 : 72}
      />
      <div className={cx(styles.figures, !isLive(freshness) && styles.quiet)}>
        <div className={styles.price}>
          <Flash price={quote?.bid}>
            <Num>{formatPrice(bid, product.point)}</Num>
          </Flash>
        </div>
        <div className={styles.change}>
          {shut && <OpensText status={status} halted={freshness === 'halted'} />}
          {old && <TimeText at={quote.time} shape="timeSeconds" />}
          {!shut && !old && change !== undefined && <ChangeText value={change} arrow />}
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
}, isSameRow)
