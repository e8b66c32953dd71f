import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { Product } from '@/features/market/api/products'
import { fromScaled } from '@/format/arithmetic'
import { type LiveQuote, quoteStore } from '@/live/quote-store'
import { Stepper } from '@/ui/stepper'
import { estimateProfit } from '../../model/estimate'
import { suggestPrice } from '../../model/lots'
import {
  expectedFillPrice,
  type PendingOrderInput,
  type PendingOrderShape,
  type Problems,
} from '../../model/pending-order'
import styles from './order-ticket.module.css'
import { PriceHelpers } from './price-helpers'
import { ProtectionField } from './protection-field'
import { RiskReward } from './risk-reward'
import { UnitPicker } from './unit-picker'

export type LegFieldsProps = {
  product: Product
  shape: PendingOrderShape
  lots: string
  input: PendingOrderInput
  problems: Problems
  quote: LiveQuote | undefined
  onChange: (change: Partial<PendingOrderInput>) => void
}

const read = (productId: number) => quoteStore.get(productId)
const MOST = '999999999'

/** The prices of a pending order and its protection. */
export function LegFields(props: LegFieldsProps) {
  const { product, shape, lots, input, problems, quote, onChange } = props
  const { t } = useTranslation()
  const { side, kind, armed } = shape
  const id = useId()
  const entry = expectedFillPrice(input, kind)
  const point = fromScaled(1n, product.point)

  const priceField = (name: 'price' | 'limitPrice', label: string) => (
    <div className={styles.block}>
      <div className={styles.label}>
        <span>{label}</span>
      </div>
      <Stepper
        label={label}
        value={input[name]}
        step={point}
        min={point}
        max={MOST}
        decimals={product.point}
        grouped
        disabled={name === 'price' && armed}
        invalid={problems[name] !== undefined}
        describedBy={`${id}${name}`}
        onChange={(value) => onChange({ [name]: value })}
      />
      {!(name === 'price' && armed) && (
        <PriceHelpers
          {...{ product, shape, quote }}
          onPick={(price) => onChange({ [name]: price })}
        />
      )}
      <p id={`${id}${name}`} className={styles.problem} aria-live="polite">
        {problems[name]}
      </p>
    </div>
  )

  const amountOf = (name: 'stopLoss' | 'takeProfit') =>
    input[name].on && input[name].price && entry
      ? estimateProfit(product, { side, lots, open: entry, close: input[name].price }, read)
      : null

  const protectionField = (name: 'stopLoss' | 'takeProfit') => (
    <ProtectionField
      kind={name}
      product={product}
      value={input[name]}
      order={entry ? { side, lots, open: entry } : null}
      amount={amountOf(name)}
      suggestion={
        entry ? suggestPrice(product, entry, (name === 'takeProfit') === (side === 'buy')) : ''
      }
      error={problems[name]}
      onChange={(value) => onChange({ [name]: value })}
    />
  )

  return (
    <>
      {priceField('price', t(kind === 'limit' ? 'waiting.limit_price' : 'waiting.stop_price'))}
      {kind === 'stop_limit' && priceField('limitPrice', t('waiting.limit_price'))}
      <div className={styles.guards}>
        {protectionField('stopLoss')}
        {protectionField('takeProfit')}
        {(input.stopLoss.on || input.takeProfit.on) && <UnitPicker product={product} />}
        <RiskReward loss={amountOf('stopLoss')} gain={amountOf('takeProfit')} />
      </div>
    </>
  )
}
