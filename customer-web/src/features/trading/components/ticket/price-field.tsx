import { type Ref, useId } from 'react'
import type { Product } from '@/features/market/api/products'
import { fromScaled } from '@/format/arithmetic'
import type { LiveQuote } from '@/live/quote-store'
import { FieldMessage } from '@/ui/form/field-message'
import { Stepper } from '@/ui/stepper'
import type { PendingOrderShape } from '../../model/pending-order'
import styles from './order-ticket.module.css'
import { PriceHelpers } from './price-helpers'

export type PriceFieldProps = {
  label: string
  product: Product
  shape: PendingOrderShape
  quote: LiveQuote | undefined
  value: string
  error: string | undefined
  disabled?: boolean
  /** The price triggers the order, so the market limits it. */
  trigger?: boolean
  /** The price can't be changed any more. */
  fixed?: boolean
  onChange: (price: string) => void
  onBlur?: () => void
  inputRef?: Ref<HTMLInputElement | HTMLTextAreaElement>
}

const MOST = '999999999'

/** A price of a pending order: typed, stepped by a point, or taken from the market. */
export function PriceField({
  label,
  product,
  shape,
  quote,
  error,
  disabled = false,
  fixed = false,
  trigger = false,
  onChange,
  ...field
}: PriceFieldProps) {
  const id = useId()
  const point = fromScaled(1n, product.point)
  return (
    <div className={styles.block}>
      <div className={styles.label}>
        <span>{label}</span>
      </div>
      <Stepper
        {...field}
        label={label}
        step={point}
        min={point}
        max={MOST}
        decimals={product.point}
        disabled={disabled || fixed}
        invalid={error !== undefined}
        {...(error ? { describedBy: id } : {})}
        onChange={onChange}
      />
      {!fixed && (
        <PriceHelpers {...{ product, shape, quote, disabled, trigger }} onPick={onChange} />
      )}
      <FieldMessage id={id} error={error} />
    </div>
  )
}
