import { useTranslation } from 'react-i18next'
import type { Wire } from '@/api/client'
import type { Product } from '@/features/market/api/products'
import { Sheet } from '@/ui/sheet/sheet'
import { ChargeList } from './charge-list'

export type ChargesSheetProps = {
  position: Pick<Wire['Position'], 'positionId'>
  product: Pick<Product, 'productNo'> | undefined
  onClose: () => void
}

/** The swaps and dividends of a position. */
export function ChargesSheet({ position, product, onClose }: ChargesSheetProps) {
  const { t } = useTranslation()
  return (
    <Sheet
      open
      width={480}
      onClose={onClose}
      title={t('charges.title', { symbol: product?.productNo ?? '' })}
    >
      <ChargeList positionId={position.positionId} />
    </Sheet>
  )
}
