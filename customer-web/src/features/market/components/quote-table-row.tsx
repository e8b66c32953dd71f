import { memo } from 'react'
import { useTranslation } from 'react-i18next'
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
import styles from './quote-table.module.css'
import { isSameRow, type LiveRowProps, type RowProps } from './row-memo'
import { Sparkline } from './sparkline'
import { StarButton } from './star-button'
import { SymbolLink } from './symbol-link'

export type QuoteTableRowProps = RowProps & {
  /** Without spread, high and low. */
  compact: boolean
}

/** A desktop's row of quotes. */
export function QuoteTableRow({ compact, ...row }: QuoteTableRowProps) {
  const [ref, visible] = useOnScreen()
  return (
    <tr ref={ref} className={cx(styles.grid, styles.row, compact && styles.compact)}>
      <Cells {...row} visible={visible} compact={compact} />
    </tr>
  )
}

const Cells = memo(function Cells(props: LiveRowProps & { compact: boolean }) {
  const { product, status, line, to, favourite = false, onToggle, onOpen, visible, compact } = props
  const { t } = useTranslation()
  const live = useLiveRow(product, status, visible)
  const nameOf = useProductName()
  const { quote, freshness, change } = live
  const { point, productId, productNo } = product
  const shut = freshness === 'closed' || freshness === 'halted'
  const quiet = !isLive(freshness)
  return (
    <>
      <td>
        {onToggle && (
          <StarButton symbol={productNo} on={favourite} onClick={() => onToggle(productId)} />
        )}
      </td>
      <th scope="row" className={styles.symbol}>
        <FreshnessDot freshness={freshness} />
        <SymbolLink product={product} to={to} onOpen={onOpen} />
      </th>
      <td className={styles.name}>{nameOf(product)}</td>
      <td>
        <Sparkline
          line={line}
          falling={directionOf(change, 2) === 'down'}
          quiet={quiet}
          width={72}
          height={22}
        />
      </td>
      {shut ? (
        <>
          <td className={cx(styles.end, styles.quiet)}>
            <span className="visually-hidden">{t('quotes.last')}</span>
            <Num>{formatPrice(live.bid, point)}</Num>
          </td>
          <td colSpan={compact ? 1 : 2} className={cx(styles.end, styles.opens)}>
            <OpensText status={status} halted={freshness === 'halted'} />
          </td>
        </>
      ) : (
        <>
          <td className={cx(styles.end, styles.price, quiet && styles.quiet)}>
            <Flash price={quote?.bid}>
              <Num>{formatPrice(live.bid, point)}</Num>
            </Flash>
          </td>
          <td className={cx(styles.end, styles.price, quiet && styles.quiet)}>
            <Flash price={quote?.ask}>
              <Num>{formatPrice(live.ask, point)}</Num>
            </Flash>
          </td>
          {!compact && (
            <td className={cx(styles.end, styles.second)}>
              <Num>{formatPrice(live.spread, point)}</Num>
            </td>
          )}
        </>
      )}
      <td className={cx(styles.end, styles.change, quiet && styles.faded)}>
        {freshness === 'stale' && quote ? (
          <TimeText at={quote.time} shape="timeSeconds" />
        ) : (
          change !== undefined && <ChangeText value={change} arrow />
        )}
      </td>
      {!compact && (
        <>
          <td className={cx(styles.end, styles.second)}>
            <Num>{formatPrice(live.high, point)}</Num>
          </td>
          <td className={cx(styles.end, styles.second)}>
            <Num>{formatPrice(live.low, point)}</Num>
          </td>
        </>
      )}
    </>
  )
}, isSameRow)
