import { useTranslation } from 'react-i18next'
import type { Product } from '@/features/market/api/products'
import { bidiIsolate } from '@/format/bidi-isolate'
import { formatPrice } from '@/format/price'
import { liesBelow, type ProtectionKind, protectionLimit } from './protection'

/** The nearest price that the engine accepts now, in words, and whether a price breaks it; undefined without a quote. */
export function useProtectionLimit(
  product: Product,
  side: 'buy' | 'sell',
  kind: ProtectionKind,
  price: string,
  quote: { bid: string; ask: string } | undefined,
): { text: string; broken: boolean } | undefined {
  const { t } = useTranslation()
  const found = protectionLimit(product, side, kind, price, quote)
  if (!found) return undefined
  const limit = bidiIsolate(formatPrice(found.nearest, product.point))
  const below = liesBelow(side, kind)
  return {
    text: t(below ? 'position.protect.at_most' : 'position.protect.at_least', { limit }),
    broken: found.broken,
  }
}
