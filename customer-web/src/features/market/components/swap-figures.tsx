import { useTranslation } from 'react-i18next'
import type { Product } from '@/features/market/api/products'
import { formatSigned, formatSignedPercent } from '@/format/amount'
import { Num } from '@/ui/num'

/** A product's swap rates in a list of figures; nothing without swaps. */
export function SwapFigures({ product }: { product: Product }) {
  const { t } = useTranslation()
  const { swapModel, swapLong, swapShort } = product
  if (swapModel === 'none') return null
  const format = swapModel === 'percent' ? formatSignedPercent : formatSigned
  return (
    <>
      <div>
        <dt>{t('trade.swap_long')}</dt>
        <dd>
          <Num>{format(swapLong)}</Num>
        </dd>
      </div>
      <div>
        <dt>{t('trade.swap_short')}</dt>
        <dd>
          <Num>{format(swapShort)}</Num>
        </dd>
      </div>
    </>
  )
}
