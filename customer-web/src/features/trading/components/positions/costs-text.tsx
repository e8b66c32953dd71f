import { useTranslation } from 'react-i18next'
import type { Wire } from '@/api/client'
import type { Product } from '@/features/market/api/products'
import { formatFixed } from '@/format/amount'
import { bidiIsolate } from '@/format/bidi-isolate'
import { Num } from '@/ui/num'
import { costsOf } from '../../model/costs'
import { ChargesButton } from './charges-button'

export type CostsTextProps = { position: Wire['Position']; product: Product | undefined }

/** Commission and charges in one sum; its parts and the margin stand in the tooltip. */
export function CostsText({ position, product }: CostsTextProps) {
  const { t } = useTranslation()
  const part = (value: string) => bidiIsolate(formatFixed(value, 2))
  return (
    <ChargesButton
      position={position}
      product={product}
      title={t('position.costs_detail', {
        commission: part(position.commission),
        swap: part(position.swap),
        margin: part(position.margin),
      })}
    >
      <Num>{formatFixed(costsOf(position), 2)}</Num>
    </ChargesButton>
  )
}
