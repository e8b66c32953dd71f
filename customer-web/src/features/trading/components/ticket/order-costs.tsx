import { useTranslation } from 'react-i18next'
import type { Product } from '@/features/market/api/products'
import { formatFixed } from '@/format/amount'
import { toScaled } from '@/format/arithmetic'
import { completeNumeric } from '@/format/numeric-input'
import { readQuote } from '@/live/quote-store'
import { Num } from '@/ui/num'
import { type Deal, hedgedLots } from '../../model/order-effect'
import { orderRequirement } from '../../model/order-requirement'
import { useOrderContext } from '../../model/use-order-context'
import { HedgeText } from './hedge-text'
import styles from './order-ticket.module.css'

export type OrderCostsProps = {
  product: Product
  /** Orders of which one will be filled; the highest requirement is shown. */
  deals: readonly Deal[]
  label: string
}

/** The change in used margin by an order, and the commission of its fills. */
export function OrderCosts({ product, deals, label }: OrderCostsProps) {
  const { t } = useTranslation()
  const ground = useOrderContext(product)
  const hedgeOf = ({ side, lots }: Deal) => {
    const hedged = hedgedLots(ground.now, { side, lots: completeNumeric(lots) })
    return hedged === null ? null : { side, lots: hedged }
  }
  const demands = deals.map((deal) =>
    orderRequirement(product, ground, { ...deal, lots: completeNumeric(deal.lots) }, readQuote),
  )
  const most = largest(demands.map((one) => one?.margin ?? null))
  const free = most !== null && (toScaled(most, 6) ?? 0n) <= 0n
  const hedge = free && !ground.held ? deals.map(hedgeOf).find((one) => one !== null) : undefined
  const sum = (name: string, value: string | null) => (
    <div>
      <dt>{name}</dt>
      <dd>
        <Num>{value === null ? '–' : formatFixed(value, 2)}</Num>{' '}
        {value !== null && <span className={styles.unit}>USDT</span>}
      </dd>
    </div>
  )
  return (
    <>
      {hedge ? (
        <div>
          <dt>{label}</dt>
          <dd>
            <HedgeText product={product} {...hedge} />
          </dd>
        </div>
      ) : (
        sum(label, most)
      )}
      {sum(t('trade.commission'), largest(demands.map((one) => one?.commission ?? null)))}
    </>
  )
}

/** The largest amount; null if one is unknown. */
function largest(sums: readonly (string | null)[]): string | null {
  const value = (sum: string | null) => toScaled(sum ?? '0', 6) ?? 0n
  if (sums.includes(null)) return null
  return sums.reduce((most, sum) => (value(sum) > value(most) ? sum : most))
}
