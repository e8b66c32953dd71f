import type { Ref } from 'react'
import type { Product } from '@/features/market/api/products'
import { completeNumeric } from '@/format/numeric-input'
import { readQuote } from '@/live/quote-store'
import { estimateProfit } from '../../model/estimate'
import { isVolume, suggestPrice } from '../../model/lots'
import type { ProtectionKind } from '../../model/protection'
import type { ProtectionInput, Side } from '../../model/ticket-store'
import styles from './order-ticket.module.css'
import { ProtectionField } from './protection-field'
import { RiskReward } from './risk-reward'
import { UnitPicker } from './unit-picker'

/** A stop loss or take profit of a form, however the form keeps it. */
export type GuardField = {
  value: ProtectionInput
  error: string | undefined
  disabled?: boolean
  onChange: (value: ProtectionInput) => void
  inputRef?: Ref<HTMLInputElement | HTMLTextAreaElement>
}

export type LegGuardsProps = {
  product: Product
  side: Side
  lots: string
  /** The expected fill price, against which protection is judged; empty while it is missing. */
  entry: string
  stopLoss: GuardField
  takeProfit: GuardField
}

/** Stop loss and take profit of a pending order, with the amounts that follow from them. */
export function LegGuards({ product, side, lots, entry, stopLoss, takeProfit }: LegGuardsProps) {
  const amountOf = ({ value: { on, price } }: GuardField) =>
    on && price && entry && isVolume(product, completeNumeric(lots))
      ? estimateProfit(product, { side, lots, open: entry, close: price }, readQuote)
      : null
  const guard = (kind: ProtectionKind, field: GuardField) => (
    <ProtectionField
      {...field}
      kind={kind}
      product={product}
      side={side}
      order={entry ? { side, lots, open: entry } : null}
      amount={amountOf(field)}
      suggestion={
        entry ? suggestPrice(product, entry, (kind === 'takeProfit') === (side === 'buy')) : ''
      }
    />
  )
  return (
    <div className={styles.guards}>
      {guard('stopLoss', stopLoss)}
      {guard('takeProfit', takeProfit)}
      {(stopLoss.value.on || takeProfit.value.on) && <UnitPicker product={product} />}
      <RiskReward loss={amountOf(stopLoss)} gain={amountOf(takeProfit)} />
    </div>
  )
}
