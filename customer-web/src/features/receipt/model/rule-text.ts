import { useTranslation } from 'react-i18next'
import { isolated } from '@/features/trading/model/isolated'
import { formatAmount } from '@/format/amount'
import { fromScaled } from '@/format/arithmetic'
import { formatPrice } from '@/format/price'
import type { Receipt } from './evidence'
import { exactScaled } from './exact'

/** The rule of a fill in sentences. Numbers in them read left to right in every language. */
export function useRuleText(receipt: Receipt): string[] {
  const { t } = useTranslation()
  const { fill, product, limitPrice, equityBefore, usedBefore } = receipt
  switch (fill.rule) {
    case 'market':
      return [t(`receipt.rule.${fill.entry}_${fill.side}`)]
    case 'stop_out':
      return [
        t(`receipt.rule.stop_out_${fill.side}`, {
          equity: isolated(formatAmount(equityBefore)),
          used: isolated(formatAmount(usedBefore)),
        }),
      ]
    case 'limit':
    case 'stop':
    case 'stop_limit':
    case 'sl':
    case 'tp': {
      const limit = isolated(formatPrice(limitPrice, product.point))
      const distance = distanceBeyond(receipt)
      return [
        t(`receipt.rule.${fill.rule}_${fill.side}`, { limit }),
        ...(distance === null
          ? []
          : [
              t(
                fill.rule === 'sl' || fill.rule === 'stop'
                  ? 'receipt.rule.gap_worse'
                  : 'receipt.rule.gap_better',
                {
                  distance: isolated(distance),
                },
              ),
            ]),
      ]
    }
  }
}

/** How far the fill lies from the price that fired it; null when it lies there. */
export function distanceBeyond({ fill, product, limitPrice }: Receipt): string | null {
  const price = exactScaled(fill.price, product.point)
  const limit = limitPrice ? exactScaled(limitPrice, product.point) : null
  if (price === null || limit === null || price === limit) return null
  const distance = price > limit ? price - limit : limit - price
  return formatPrice(fromScaled(distance, product.point), product.point)
}
