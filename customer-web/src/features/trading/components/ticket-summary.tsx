import { useTranslation } from 'react-i18next'
import type { Product } from '@/features/market/api/products'
import { formatAmount, formatFixed, formatPercent } from '@/format/amount'
import { toScaled } from '@/format/arithmetic'
import { useAccount } from '@/live/account-store'
import { type LiveQuote, quoteStore } from '@/live/quote-store'
import { Num } from '@/ui/num'
import { estimateCommission, estimateMargin, estimateProfit } from '../model/estimate'
import type { Ticket } from '../model/ticket-store'
import styles from './order-ticket.module.css'

export type TicketSummaryProps = {
  product: Product
  ticket: Ticket
  price: string | undefined
  quote: LiveQuote | undefined
}

const read = (productId: number) => quoteStore.get(productId)

/** What the order would take and cost, and the margin level after it. Estimates: the engine decides. */
export function TicketSummary({ product, ticket, price, quote }: TicketSummaryProps) {
  const { t } = useTranslation()
  const statistics = useAccount((state) => state.statistics)
  const order = { lots: ticket.lots, price: price ?? '', leverage: ticket.leverage }
  const margin = price ? estimateMargin(product, order, read) : null
  const commission = price ? estimateCommission(product, order, read) : null
  const spread = quote
    ? estimateProfit(
        product,
        { side: 'buy', lots: ticket.lots, open: quote.bid, close: quote.ask },
        read,
      )
    : null
  const before = statistics?.prepaidRatio
  const after =
    statistics && margin && commission ? levelAfter(statistics, margin, commission) : null
  const money = (value: string | null) =>
    value === null ? (
      <Num>–</Num>
    ) : (
      <>
        <Num>{formatFixed(value, 2)}</Num> <span className={styles.unit}>USDT</span>
      </>
    )
  return (
    <dl className={styles.summary}>
      <div>
        <dt>{t('trade.margin')}</dt>
        <dd>{money(margin)}</dd>
      </div>
      <div>
        <dt>{t('trade.commission')}</dt>
        <dd>{money(commission)}</dd>
      </div>
      <div>
        <dt>{t('trade.spread_cost')}</dt>
        <dd>{money(spread)}</dd>
      </div>
      {statistics && (
        <div>
          <dt>{t('trade.free_margin')}</dt>
          <dd>
            <Num>{formatAmount(formatTwo(statistics.usablePrepaid))}</Num>{' '}
            <span className={styles.unit}>USDT</span>
          </dd>
        </div>
      )}
      {after !== null && (
        <div>
          <dt>{t('trade.level_after')}</dt>
          <dd>
            <bdi dir="ltr">
              <span className={styles.unit}>{before ? formatPercent(before) : '–'}</span> →{' '}
              {formatPercent(after)}
            </bdi>
          </dd>
        </div>
      )}
    </dl>
  )
}

function formatTwo(value: string): string {
  return value.replace(/(\.\d{2})\d+$/, '$1')
}

/** The margin level in percent once the order is filled, before the spread is felt. */
function levelAfter(
  statistics: { netValue: string; prepaidAmount: string },
  margin: string,
  commission: string,
): string | null {
  const equity = (toScaled(statistics.netValue, 6) ?? 0n) - (toScaled(commission, 6) ?? 0n)
  const used = (toScaled(statistics.prepaidAmount, 6) ?? 0n) + (toScaled(margin, 6) ?? 0n)
  if (used <= 0n) return null
  return (Number((equity * 10_000n) / used) / 100).toFixed(2)
}
