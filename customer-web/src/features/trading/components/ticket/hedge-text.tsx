import { useTranslation } from 'react-i18next'
import type { Product } from '@/features/market/api/products'
import { bidiIsolate } from '@/format/bidi-isolate'
import { formatLots } from '@/format/lots'

export type HedgeTextProps = { product: Product; side: 'buy' | 'sell'; lots: string }

/** Why an order needs no margin: it hedges a volume that is open on the other side. */
export function HedgeText({ product, side, lots }: HedgeTextProps) {
  const { t } = useTranslation()
  return t('margin.hedges', {
    side: t(side === 'buy' ? 'trade.sell' : 'trade.buy'),
    lots: bidiIsolate(formatLots(product, lots)),
  })
}
