import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { directionOf } from '@/format/amount'
import { formatPrice } from '@/format/price'
import { ChangeText } from '@/ui/change-text'
import { cx } from '@/ui/cx'
import { Num } from '@/ui/num'
import { PriceText } from '@/ui/price-text'
import { TimeText } from '@/ui/time-text'
import { isLive } from '../model/freshness'
import { useLiveRow } from '../model/use-live-row'
import { useOnScreen } from '../model/use-on-screen'
import { Flash } from './flash'
import { FreshnessDot } from './freshness-dot'
import { OpensText } from './opens-text'
import styles from './quote-row.module.css'
import { isSameRow, type LiveRowProps, type RowProps } from './row-memo'
import { Sparkline } from './sparkline'
import { StarButton } from './star-button'
import { SymbolLink } from './symbol-link'

export type QuoteRowProps = RowProps

/** A phone's row of quotes: bid over the day's low, ask over its high. */
export function QuoteRow(props: QuoteRowProps) {
  const [ref, visible] = useOnScreen()
  return (
    <li ref={ref} className={cx(styles.grid, styles.row)}>
      <Content {...props} visible={visible} />
    </li>
  )
}

const Content = memo(function Content(props: LiveRowProps) {
  const { product, status, line, to, favourite = false, onToggle, onOpen, visible } = props
  const { t } = useTranslation()
  const live = useLiveRow(product, status, visible)
  const { quote, freshness, change } = live
  const { point, productId, productNo } = product
  const shut = freshness === 'closed' || freshness === 'halted'
  return (
    <>
      {onToggle && (
        <StarButton symbol={productNo} on={favourite} onClick={() => onToggle(productId)} />
      )}
      <div className={styles.product}>
        <div className={styles.symbol}>
          <SymbolLink product={product} to={to} onOpen={onOpen} />
        </div>
        <div className={styles.state}>
          <FreshnessDot freshness={freshness} />
          {shut && <span aria-hidden>{t(`product.freshness.${freshness}`)}</span>}
          {freshness === 'stale' && quote && <TimeText at={quote.time} shape="timeSeconds" />}
          {!shut && live.bid === undefined && <span>{t('product.no_price')}</span>}
          {!shut && !(freshness === 'stale' && quote) && change !== undefined && (
            <ChangeText value={change} />
          )}
        </div>
      </div>
      {shut ? (
        <div className={styles.closed}>
          <div>
            {t('quotes.last')} <Num>{formatPrice(live.bid, point)}</Num>
          </div>
          <div>
            <OpensText status={status} halted={freshness === 'halted'} />
          </div>
        </div>
      ) : (
        <>
          <div className={styles.line}>
            <Sparkline
              line={line}
              falling={directionOf(change, 2) === 'down'}
              quiet={!isLive(freshness)}
              bare
              width={40}
              height={26}
            />
          </div>
          <div className={cx(styles.side, !isLive(freshness) && styles.quiet)}>
            <span className="visually-hidden">{t('quotes.bid')}</span>
            <Flash price={quote?.bid}>
              <PriceText price={live.bid} point={point} className={styles.price} />
            </Flash>
            <div className={styles.bound}>
              <span className="visually-hidden">{t('quotes.low')}</span>
              <Num>{formatPrice(live.low, point)}</Num>
            </div>
          </div>
          <div className={cx(styles.side, !isLive(freshness) && styles.quiet)}>
            <span className="visually-hidden">{t('quotes.ask')}</span>
            <Flash price={quote?.ask}>
              <PriceText price={live.ask} point={point} className={styles.price} />
            </Flash>
            <div className={styles.bound}>
              <span className="visually-hidden">{t('quotes.high')}</span>
              <Num>{formatPrice(live.high, point)}</Num>
            </div>
          </div>
        </>
      )}
    </>
  )
}, isSameRow)
