import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { cx } from '@/ui/cx'
import { isLive } from '../model/freshness'
import { useProductName } from '../model/product-name'
import { useLiveRow } from '../model/use-live-row'
import { useOnScreen } from '../model/use-on-screen'
import { FreshnessDot } from './freshness-dot'
import { HoursText } from './hours-text'
import {
  LiveChange,
  LiveFigure,
  LivePrice,
  LiveRange,
  LiveSparkline,
  LiveSpread,
  LiveTime,
} from './live-cells'
import { OpensText } from './opens-text'
import styles from './quote-table.module.css'
import { isSameContent, isSameRow, type LiveRowProps, type RowProps } from './row-memo'
import { StarButton } from './star-button'
import { SymbolLink } from './symbol-link'

export type QuoteTableRowProps = RowProps & {
  /** Hides spread, high and low. */
  compact: boolean
}

/** A desktop's quote row. */
export const QuoteTableRow = memo(function QuoteTableRow(props: QuoteTableRowProps) {
  const [ref, visible] = useOnScreen()
  return (
    <tr ref={ref} className={cx(styles.grid, styles.row, props.compact && styles.compact)}>
      <Cells {...props} visible={visible} />
    </tr>
  )
}, isSameRow)

const Cells = memo(function Cells(props: LiveRowProps & { compact: boolean }) {
  const { product, status, line, to, favourite = false, onToggle, onOpen, visible, compact } = props
  const { t } = useTranslation()
  const { row, freshness, quoted } = useLiveRow(product, status, visible)
  const nameOf = useProductName()
  const { productId, productNo } = product
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
        <LiveSparkline row={row} line={line} quiet={quiet} width={72} height={22} />
      </td>
      {shut ? (
        <>
          <td className={cx(styles.end, styles.quiet)}>
            <span className="visually-hidden">{t('quotes.last')}</span>
            <LiveFigure row={row} of="bid" />
          </td>
          <td colSpan={compact ? 1 : 2} className={cx(styles.end, styles.opens)}>
            <OpensText status={status} halted={freshness === 'halted'} />
          </td>
        </>
      ) : (
        <>
          <td className={cx(styles.end, styles.price, quiet && styles.quiet)}>
            <LivePrice row={row} side="bid" />
          </td>
          <td className={cx(styles.end, styles.price, quiet && styles.quiet)}>
            <LivePrice row={row} side="ask" />
          </td>
          {!compact && (
            <td className={cx(styles.end, styles.second)}>
              <LiveSpread row={row} />
            </td>
          )}
        </>
      )}
      <td className={cx(styles.end, styles.change, quiet && styles.faded)}>
        {freshness === 'stale' && quoted ? <LiveTime row={row} /> : <LiveChange row={row} arrow />}
      </td>
      {!compact && (
        <>
          <td>
            <LiveRange row={row} />
          </td>
          <td className={cx(styles.end, styles.second, styles.hours)}>
            <HoursText status={status} />
          </td>
        </>
      )}
    </>
  )
}, isSameContent)
