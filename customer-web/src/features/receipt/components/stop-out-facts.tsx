import { useTranslation } from 'react-i18next'
import {
  directionOf,
  formatAmount,
  formatFixed,
  formatPercent,
  formatSigned,
} from '@/format/amount'
import { fromScaled } from '@/format/arithmetic'
import { marginLevel } from '@/format/margin-level'
import { formatPrice } from '@/format/price'
import { cx } from '@/ui/cx'
import { Num } from '@/ui/num'
import type { Fill, Receipt } from '../model/evidence'
import { exactScaled } from '../model/exact'
import { exactTime } from '../model/exact-time'
import { SCALE } from '../model/sums'
import { inClosingOrder } from '../model/verify-stop-out'
import styles from './receipt.module.css'

export type StopOutFactsProps = { receipt: Receipt; snapshot: NonNullable<Fill['standing']> }

/**
 * Why a stop-out happened and why it closed this position: the margin call, the margin level, and all positions in
 * closing order.
 */
export function StopOutFacts({ receipt: { fill }, snapshot }: StopOutFactsProps) {
  const { t } = useTranslation()
  const { worth, call, positions } = snapshot
  const floating = fromScaled(
    (exactScaled(fill.equityBefore, SCALE) ?? 0n) - (exactScaled(worth, SCALE) ?? 0n),
    SCALE,
  )
  return (
    <>
      <dl className={styles.sums}>
        <div>
          <dt>{t('margin_call.warned')}</dt>
          <dd className={styles.result}>
            <Num>{formatPercent(levelOf(call.equity, call.usedMargin))}</Num>
          </dd>
          <dd className={styles.formula}>
            <bdi dir="ltr">
              {formatFixed(call.equity, 2)} ÷ {formatFixed(call.usedMargin, 2)},{' '}
              {exactTime(call.marketTime)}
            </bdi>
          </dd>
        </div>
        <div>
          <dt>{t('receipt.standing.level')}</dt>
          <dd className={styles.result}>
            <Num>{formatPercent(levelOf(fill.equityBefore, fill.usedBefore))}</Num>{' '}
            <small>≤ 50%</small>
          </dd>
          <dd className={styles.formula}>
            <bdi dir="ltr">
              {formatFixed(fill.equityBefore, 2)} ÷ {formatFixed(fill.usedBefore, 2)},{' '}
              {exactTime(fill.marketTime)}
            </bdi>
          </dd>
        </div>
        <div>
          <dt>{t('figure.equity')}</dt>
          <dd className={styles.result}>
            <Num>{formatAmount(fill.equityBefore)}</Num> <small>USDT</small>
          </dd>
          <dd className={styles.formula}>
            {t('receipt.standing.worth')} <Num>{formatAmount(worth)}</Num>,{' '}
            {t('receipt.standing.floating')} <Num>{formatSigned(floating, SCALE)}</Num>
          </dd>
        </div>
      </dl>
      <h4 className={styles.order}>{t('receipt.standing.order')}</h4>
      <ol className={styles.sums}>
        {inClosingOrder(positions).map((one) => (
          <li
            key={one.positionId}
            className={cx(one.positionId === fill.positionId && styles.closed)}
          >
            <span>
              {one.product.productNo} {t(`trade.${one.side}`)} <Num>{formatAmount(one.lots)}</Num>
              {one.positionId === fill.positionId && ` · ${t('receipt.standing.closed')}`}
              {one.skipped && ` · ${t('receipt.standing.skipped')}`}
            </span>
            <Num className={cx(styles.result, directionOf(one.profit, 2))}>
              {formatSigned(one.profit)}
            </Num>
            <span className={styles.formula}>
              <bdi dir="ltr">
                {formatPrice(one.price, one.product.point)} · #{formatFixed(one.quoteSeq, 0)}
              </bdi>
            </span>
          </li>
        ))}
      </ol>
    </>
  )
}

/** The margin level in percent; null if no margin was used. */
function levelOf(equity: string, usedMargin: string): string | null {
  return marginLevel(exactScaled(equity, SCALE) ?? 0n, exactScaled(usedMargin, SCALE) ?? 0n)
}
