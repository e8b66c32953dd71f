import { useTranslation } from 'react-i18next'
import type { Product } from '@/features/market/api/products'
import { bidiIsolate } from '@/format/bidi-isolate'
import { formatLots } from '@/format/lots'
import { completeNumeric } from '@/format/numeric-input'
import { type Deal, effectOf } from '../../model/order-effect'
import type { OrderContext } from '../../model/order-requirement'

export type OrderEffectRowProps = {
  product: Product
  held: OrderContext['held']
  deal: Pick<Deal, 'side' | 'lots'>
  label: string
}

/** The effect of an order on the product's open position in a netting account; renders nothing without one. */
export function OrderEffectRow({ product, held, deal, label }: OrderEffectRowProps) {
  const { t } = useTranslation()
  const lots = completeNumeric(deal.lots)
  if (!held || lots === '') return null
  const { does, ...left } = effectOf({ ...deal, lots }, held)
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        {t(`margin.effect.${does}`, {
          side: t(left.side === 'buy' ? 'trade.buy' : 'trade.sell'),
          lots: bidiIsolate(formatLots(product, left.lots)),
        })}
      </dd>
    </div>
  )
}
