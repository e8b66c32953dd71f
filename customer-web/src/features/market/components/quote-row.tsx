import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { cx } from '@/ui/cx'
import { isLive } from '../model/freshness'
import { bidOf, type LiveRow, useRowFigure } from '../model/live-row'
import { useLiveRow } from '../model/use-live-row'
import { useOnScreen } from '../model/use-on-screen'
import { FreshnessDot } from './freshness-dot'
import { LiveChange, LiveFigure, LivePrice, LiveSparkline, LiveTime } from './live-cells'
import { OpensText } from './opens-text'
import styles from './quote-row.module.css'
import { isSameContent, isSameRow, type LiveRowProps, type RowProps } from './row-memo'
import { StarButton } from './star-button'
import { SymbolLink } from './symbol-link'

export type QuoteRowProps = RowProps

/** A phone's quote row: bid above the day's low, ask above its high. */
export const QuoteRow = memo(function QuoteRow(props: QuoteRowProps) {
  const [ref, visible] = useOnScreen()
  return (
    <li ref={ref} className={cx(styles.grid, styles.row, props.on && styles.on)}>
      <Content {...props} visible={visible} />
    </li>
  )
}, isSameRow)

const Content = memo(function Content(props: LiveRowProps) {
  const { product, status, line, to, favourite = false, on, onToggle, onOpen, visible } = props
  const { t } = useTranslation()
  const { row, freshness, quoted } = useLiveRow(product, status, visible)
  const priced = useRowFigure(row, isPriced)
  const { productId, productNo } = product
  const shut = freshness === 'closed' || freshness === 'halted'
  return (
    <>
      {onToggle && (
        <StarButton symbol={productNo} on={favourite} onClick={() => onToggle(productId)} />
      )}
      <div className={styles.product}>
        <div className={styles.symbol}>
          <SymbolLink product={product} to={to} current={on} onOpen={onOpen} />
        </div>
        <div className={styles.state}>
          <FreshnessDot freshness={freshness} />
          {shut && <span aria-hidden>{t(`product.freshness.${freshness}`)}</span>}
          {freshness === 'stale' && quoted && <LiveTime row={row} />}
          {!shut && !priced && <span>{t('product.no_price')}</span>}
          {!shut && !(freshness === 'stale' && quoted) && <LiveChange row={row} />}
        </div>
      </div>
      {shut ? (
        <div className={styles.closed}>
          <div>
            {t('quotes.last')} <LiveFigure row={row} of="bid" />
          </div>
          <div>
            <OpensText status={status} halted={freshness === 'halted'} />
          </div>
        </div>
      ) : (
        <>
          <div className={styles.line}>
            <LiveSparkline
              row={row}
              line={line}
              quiet={!isLive(freshness)}
              bare
              width={40}
              height={26}
            />
          </div>
          <div className={cx(styles.side, !isLive(freshness) && styles.quiet)}>
            <span className="visually-hidden">{t('quotes.bid')}</span>
            <LivePrice row={row} side="bid" large={styles.price} />
            <div className={styles.bound}>
              <span className="visually-hidden">{t('quotes.low')}</span>
              <LiveFigure row={row} of="low" />
            </div>
          </div>
          <div className={cx(styles.side, !isLive(freshness) && styles.quiet)}>
            <span className="visually-hidden">{t('quotes.ask')}</span>
            <LivePrice row={row} side="ask" large={styles.price} />
            <div className={styles.bound}>
              <span className="visually-hidden">{t('quotes.high')}</span>
              <LiveFigure row={row} of="high" />
            </div>
          </div>
        </>
      )}
    </>
  )
}, isSameContent)

const isPriced = (row: LiveRow) => bidOf(row) !== undefined
