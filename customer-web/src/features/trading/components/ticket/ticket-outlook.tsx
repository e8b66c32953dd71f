import { useTranslation } from 'react-i18next'
import type { Product } from '@/features/market/api/products'
import { formatPercent } from '@/format/amount'
import { toScaled } from '@/format/arithmetic'
import { completeNumeric } from '@/format/numeric-input'
import { useAccount } from '@/live/account-store'
import { readQuote } from '@/live/quote-store'
import { type Deal, exposureAfter, marginLevelOf } from '../../model/order-effect'
import { stopOutPrice } from '../../model/stop-out-price'
import { useOrderContext } from '../../model/use-order-context'
import { OrderEffectRow } from './order-effect-row'
import styles from './order-ticket.module.css'
import { StopOutText } from './stop-out-text'

export type TicketOutlookProps = { product: Product; deal: Deal }

/** The account after the order: its position in netting mode, the margin level, and the stop-out. */
export function TicketOutlook({ product, ...props }: TicketOutlookProps) {
  const { t } = useTranslation()
  const statistics = useAccount((state) => state.statistics)
  const { now, held } = useOrderContext(product)
  if (!statistics) return null
  const deal = { ...props.deal, lots: completeNumeric(props.deal.lots) }
  const after = exposureAfter(product, now, deal, held, readQuote)
  const level = after && marginLevelOf(product, after, readQuote)
  const stopOut = after && stopOutPrice(product, after.open, after.account, readQuote)
  const possible = level !== null && (toScaled(level, 2) ?? 0n) > 0n
  const before = statistics.prepaidRatio
  return (
    <>
      <OrderEffectRow product={product} held={held} deal={deal} label={t('margin.position')} />
      {possible && level && (
        <div>
          <dt>{t('trade.level_after')}</dt>
          <dd>
            <bdi dir="ltr">
              <span className={styles.unit}>{before ? formatPercent(before) : '–'}</span> →{' '}
              {formatPercent(level)}
            </bdi>
          </dd>
        </div>
      )}
      {possible && stopOut && (
        <div>
          <dt>{t('margin.stop_out_after')}</dt>
          <dd>
            <StopOutText at={stopOut} point={product.point} />
          </dd>
        </div>
      )}
    </>
  )
}
