import { useTranslation } from 'react-i18next'
import type { Product } from '@/features/market/api/products'
import { formatAmount, formatFixed } from '@/format/amount'
import { toScaled } from '@/format/arithmetic'
import { useAccount } from '@/live/account-store'
import { type LiveQuote, quoteStore } from '@/live/quote-store'
import { Num } from '@/ui/num'
import { estimateCommission, estimateMargin } from '../model/estimate'
import { entryOf, type Frame, type Terms } from '../model/waiting'
import { DistanceText } from './distance-text'
import styles from './order-ticket.module.css'

export type OcoSummaryProps = {
  product: Product
  order: { lots: string; leverage: number }
  legs: readonly { frame: Frame; terms: Terms }[]
  quote: LiveQuote | undefined
}

const read = (productId: number) => quoteStore.get(productId)

/** How far the two are from the market, and the most that the one which is filled would take. */
export function OcoSummary({ product, order, legs, quote }: OcoSummaryProps) {
  const { t } = useTranslation()
  const free = useAccount(({ statistics }) => statistics?.usablePrepaid)
  const filled = legs.map(({ frame, terms }) => ({ ...order, price: entryOf(terms, frame.kind) }))
  const sum = (label: string, value: string | null) => (
    <div>
      <dt>{label}</dt>
      <dd>
        <Num>{value === null ? '–' : formatFixed(value, 2)}</Num>{' '}
        {value !== null && <span className={styles.unit}>USDT</span>}
      </dd>
    </div>
  )
  return (
    <dl className={styles.summary}>
      {legs.map(({ frame: { side, kind }, terms }) => (
        <div key={`${side} ${kind}`}>
          <dt>{t('waiting.oco.distance', { name: t(`trade.waiting.${side}_${kind}`) })}</dt>
          <dd>
            <DistanceText product={product} side={side} price={terms.price} quote={quote} />
          </dd>
        </div>
      ))}
      {sum(t('waiting.margin'), largest(filled.map((one) => estimateMargin(product, one, read))))}
      {sum(
        t('trade.commission'),
        largest(filled.map((one) => estimateCommission(product, one, read))),
      )}
      {free !== undefined && (
        <div>
          <dt>{t('trade.free_margin')}</dt>
          <dd>
            <Num>{formatAmount(free.replace(/(\.\d{2})\d+$/, '$1'))}</Num>{' '}
            <span className={styles.unit}>USDT</span>
          </dd>
        </div>
      )}
    </dl>
  )
}

/** The largest of some sums; null while one is unknown. */
function largest(sums: readonly (string | null)[]): string | null {
  const value = (sum: string | null) => toScaled(sum ?? '0', 6) ?? 0n
  if (sums.includes(null)) return null
  return sums.reduce((most, sum) => (value(sum) > value(most) ? sum : most), '0')
}
