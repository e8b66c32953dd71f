import { useTranslation } from 'react-i18next'
import type { Product } from '@/features/market/api/products'
import { DistanceValue } from '@/features/market/components/distance-value'
import { formatAmount, formatFixed } from '@/format/amount'
import { completeNumeric } from '@/format/numeric-input'
import { useAccount } from '@/live/account-store'
import { type LiveQuote, readQuote } from '@/live/quote-store'
import { Num } from '@/ui/num'
import { estimateProfit } from '../../model/estimate'
import { isVolume } from '../../model/lots'
import type { Ticket } from '../../model/ticket-store'
import { OrderCosts } from './order-costs'
import styles from './order-ticket.module.css'
import { TicketOutlook } from './ticket-outlook'

/** A cost is not cut to less than it is. */
const SPREAD_DECIMALS = 4

export type TicketSummaryProps = {
  product: Product
  ticket: Ticket
  price: string | undefined
  quote: LiveQuote | undefined
}

/** The order's margin and costs, and the account after it. These are estimates; the engine decides. */
export function TicketSummary({ product, ticket, price, quote }: TicketSummaryProps) {
  const { t } = useTranslation()
  const statistics = useAccount((state) => state.statistics)
  const { side, lots, leverage } = ticket
  const fits = isVolume(product, completeNumeric(lots))
  const deal = { side, lots, leverage, price: price ?? '' }
  const spread =
    quote && fits
      ? estimateProfit(
          product,
          { side: 'buy', lots: ticket.lots, open: quote.bid, close: quote.ask },
          readQuote,
        )
      : null
  return (
    <dl className={styles.summary}>
      <OrderCosts product={product} deals={[deal]} label={t('trade.margin')} />
      <div>
        <dt>{t('figure.spread_cost')}</dt>
        <dd>
          {quote && (
            <span className={styles.unit}>
              <DistanceValue product={product} distance={quote.spread} />
              {' · '}
            </span>
          )}
          <Num>{spread === null ? '–' : formatAmount(spread, SPREAD_DECIMALS)}</Num>{' '}
          {spread !== null && <span className={styles.unit}>USDT</span>}
        </dd>
      </div>
      {statistics && (
        <div>
          <dt>{t('trade.free_margin')}</dt>
          <dd>
            <Num>{formatFixed(statistics.usablePrepaid, 2)}</Num>{' '}
            <span className={styles.unit}>USDT</span>
          </dd>
        </div>
      )}
      {statistics && price && fits && <TicketOutlook product={product} deal={deal} />}
    </dl>
  )
}
