import { useTranslation } from 'react-i18next'
import { formatAmount } from '@/format/amount'
import { fromScaled } from '@/format/arithmetic'
import { bidiIsolate } from '@/format/bidi-isolate'
import { formatPrice } from '@/format/price'
import type { Receipt } from './evidence'
import { exactScaled } from './exact'
import { trailingDistance } from './verify'

/** The rule of a fill in sentences. Numbers read left to right in every language. */
export function useRuleText(receipt: Receipt): string[] {
  const { t } = useTranslation()
  const { fill } = receipt
  const { product, limitPrice, equityBefore, usedBefore } = fill
  const trail = trailingDistance(receipt)
  const gap = (
    distance: string | null,
    key: 'receipt.rule.gap_worse' | 'receipt.rule.gap_better',
  ) => (distance === null ? [] : [t(key, { distance: bidiIsolate(distance) })])
  switch (fill.rule) {
    case 'market':
      return [t(`receipt.rule.${fill.entry}_${fill.side}`)]
    case 'close_by':
      return [
        t('receipt.rule.close_by', {
          position: bidiIsolate(String(receipt.byFill?.positionId ?? '')),
          price: bidiIsolate(formatPrice(fill.price, product.point)),
        }),
      ]
    case 'trailing':
      return [
        t(`receipt.rule.trailing_${fill.side}`, {
          limit: bidiIsolate(formatPrice(limitPrice, product.point)),
          trail: bidiIsolate(
            formatPrice(
              trail === null ? undefined : fromScaled(trail, product.point),
              product.point,
            ),
          ),
          best: bidiIsolate(
            formatPrice(
              fill.side === 'sell' ? receipt.best?.bid : receipt.best?.ask,
              product.point,
            ),
          ),
        }),
        ...gap(distanceBeyond(receipt), 'receipt.rule.gap_worse'),
      ]
    case 'stop_out':
      return [
        t(`receipt.rule.stop_out_${fill.side}`, {
          equity: bidiIsolate(formatAmount(equityBefore)),
          used: bidiIsolate(formatAmount(usedBefore)),
        }),
      ]
    case 'limit':
    case 'stop':
    case 'stop_limit':
    case 'sl':
    case 'tp': {
      const limit = bidiIsolate(formatPrice(limitPrice, product.point))
      const runsPast = fill.rule === 'sl' || fill.rule === 'stop'
      return [
        t(`receipt.rule.${fill.rule}_${fill.side}`, { limit }),
        ...gap(
          distanceBeyond(receipt),
          runsPast ? 'receipt.rule.gap_worse' : 'receipt.rule.gap_better',
        ),
      ]
    }
  }
}

/** The distance between the fill and its trigger price; null if they are equal. */
export function distanceBeyond({ fill }: Receipt): string | null {
  const { product, limitPrice } = fill
  const price = exactScaled(fill.price, product.point)
  const limit = limitPrice ? exactScaled(limitPrice, product.point) : null
  if (price === null || limit === null || price === limit) return null
  const distance = price > limit ? price - limit : limit - price
  return formatPrice(fromScaled(distance, product.point), product.point)
}
