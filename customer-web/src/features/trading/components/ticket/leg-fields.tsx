import { useTranslation } from 'react-i18next'
import type { Product } from '@/features/market/api/products'
import type { LiveQuote } from '@/live/quote-store'
import {
  expectedFillPrice,
  type PendingOrderInput,
  type PendingOrderShape,
  type Problems,
} from '../../model/pending-order'
import type { ProtectionKind } from '../../model/protection'
import { LegGuards } from './leg-guards'
import { PriceField } from './price-field'

export type LegFieldsProps = {
  product: Product
  shape: PendingOrderShape
  lots: string
  input: PendingOrderInput
  problems: Problems
  quote: LiveQuote | undefined
  onChange: (change: Partial<PendingOrderInput>) => void
}

/** The prices of a pending order in the ticket and its protection. */
export function LegFields(props: LegFieldsProps) {
  const { product, shape, lots, input, problems, quote, onChange } = props
  const { t } = useTranslation()
  const { side, kind } = shape
  const priceField = (name: 'price' | 'limitPrice', label: string) => (
    <PriceField
      {...{ label, product, shape, quote }}
      trigger={name === 'price'}
      value={input[name]}
      error={problems[name]}
      onChange={(price) => onChange({ [name]: price })}
    />
  )
  const guard = (name: ProtectionKind) => ({
    value: input[name],
    error: problems[name],
    onChange: (value: PendingOrderInput[ProtectionKind]) => onChange({ [name]: value }),
  })
  return (
    <>
      {priceField('price', t(kind === 'limit' ? 'waiting.limit_price' : 'waiting.stop_price'))}
      {kind === 'stop_limit' && priceField('limitPrice', t('waiting.limit_price'))}
      <LegGuards
        {...{ product, side, lots }}
        entry={expectedFillPrice(input, kind)}
        stopLoss={guard('stopLoss')}
        takeProfit={guard('takeProfit')}
      />
    </>
  )
}
