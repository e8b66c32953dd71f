import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Wire } from '@/api/client'
import { reasonOf } from '@/api/reason'
import { useProducts } from '@/features/market/api/products'
import { formatAmount, formatFixed, formatPercent } from '@/format/amount'
import { toScaled } from '@/format/arithmetic'
import { formatLots } from '@/format/lots'
import { marginLevel } from '@/format/margin-level'
import { formatPrice } from '@/format/price'
import { ChangeText } from '@/ui/change-text'
import { ErrorBlock } from '@/ui/error-block'
import { Num } from '@/ui/num'
import { TimeText } from '@/ui/time-text'
import { type MarginCall, stopOutsQuery } from '../../api/margin-calls'
import styles from './margin-calls-sheet.module.css'

export type MarginCallStepProps = { marginCall: MarginCall }

/** One margin call from the warning to the recovery, with the stop-outs in between. */
export function MarginCallStep({ marginCall }: MarginCallStepProps) {
  const { t } = useTranslation()
  const { equity, usedMargin, time, recoveredAt } = marginCall
  const { data, error, refetch, isFetching } = useQuery(stopOutsQuery(marginCall))
  return (
    <li className={styles.call}>
      <div className={styles.line}>
        <b>{t('margin_call.warned')}</b>
        <TimeText at={time} shape="dateTimeSeconds" />
      </div>
      <div className={styles.figures}>
        <span>
          {t('figure.margin_level')} <Num>{formatPercent(levelAt(equity, usedMargin))}</Num>
        </span>
        <span>
          {t('figure.equity')} <Num>{formatFixed(equity, 2)}</Num>
        </span>
        <span>
          {t('trade.used_margin')} <Num>{formatFixed(usedMargin, 2)}</Num>
        </span>
      </div>
      {!data && error && (
        <ErrorBlock {...reasonOf(error)} onRetry={() => void refetch()} retrying={isFetching} />
      )}
      {data?.map((position) => (
        <StopOut key={position.positionId} position={position} />
      ))}
      <div className={styles.line}>
        {recoveredAt === undefined ? (
          t('margin_call.open')
        ) : (
          <>
            {t('margin_call.recovered')} <TimeText at={recoveredAt} shape="dateTimeSeconds" />
          </>
        )}
      </div>
    </li>
  )
}

function StopOut({ position }: { position: Wire['Position'] }) {
  const { t } = useTranslation()
  const { data: products } = useProducts()
  const product = products?.find(({ productId }) => productId === position.productId)
  const price = product ? formatPrice(position.price, product.point) : formatAmount(position.price)
  return (
    <div className={styles.stopOut}>
      <span>
        <b>{t('history.reason.stop_out')}</b> {product?.productNo}{' '}
        {t(position.side === 'buy' ? 'trade.buy' : 'trade.sell')}{' '}
        <Num>
          {formatLots(product, position.lotsOpened)} × {price}
        </Num>
      </span>
      <ChangeText kind="number" value={position.profit} />
      {position.closedAt !== undefined && (
        <TimeText at={position.closedAt} shape="dateTimeSeconds" />
      )}
    </div>
  )
}

function levelAt(equity: string, usedMargin: string): string | null {
  return marginLevel(toScaled(equity, 6) ?? 0n, toScaled(usedMargin, 6) ?? 0n)
}
