import { useTranslation } from 'react-i18next'
import type { Product } from '@/features/market/api/products'
import { formatFixed } from '@/format/amount'
import { useAccount } from '@/live/account-store'
import type { LiveQuote } from '@/live/quote-store'
import { Num } from '@/ui/num'
import {
  expectedFillPrice,
  type PendingOrderInput,
  type PendingOrderShape,
} from '../../model/pending-order'
import { useOrderContext } from '../../model/use-order-context'
import { AtFillNote } from './at-fill-note'
import { DistanceText } from './distance-text'
import { OrderCosts } from './order-costs'
import { OrderEffectRow } from './order-effect-row'
import styles from './order-ticket.module.css'

export type OcoSummaryProps = {
  product: Product
  order: { lots: string; leverage: number }
  legs: readonly { shape: PendingOrderShape; input: PendingOrderInput }[]
  quote: LiveQuote | undefined
}

/** The distance of both orders from the market, and the higher margin and costs of the two. */
export function OcoSummary({ product, order, legs, quote }: OcoSummaryProps) {
  const { t } = useTranslation()
  const free = useAccount(({ statistics }) => statistics?.usablePrepaid)
  const { held } = useOrderContext(product)
  const filled = legs.map(({ shape: { side, kind }, input }) => ({
    ...{ ...order, side, name: t(`trade.waiting.${side}_${kind}`) },
    price: expectedFillPrice(input, kind),
  }))
  return (
    <>
      <dl className={styles.summary}>
        {legs.map(({ shape: { side, kind }, input }) => (
          <div key={`${side} ${kind}`}>
            <dt>{t('waiting.oco.distance', { name: t(`trade.waiting.${side}_${kind}`) })}</dt>
            <dd>
              <DistanceText product={product} side={side} price={input.price} quote={quote} />
            </dd>
          </div>
        ))}
        <OrderCosts product={product} deals={filled} label={t('waiting.margin')} />
        {free !== undefined && (
          <div>
            <dt>{t('trade.free_margin')}</dt>
            <dd>
              <Num>{formatFixed(free, 2)}</Num> <span className={styles.unit}>USDT</span>
            </dd>
          </div>
        )}
        {filled.map((deal) => (
          <OrderEffectRow
            key={deal.name}
            {...{ product, held, deal }}
            label={t('waiting.oco.position', { name: deal.name })}
          />
        ))}
      </dl>
      <AtFillNote />
    </>
  )
}
