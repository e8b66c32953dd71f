import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { Product } from '@/features/market/api/products'
import { formatSigned } from '@/format/amount'
import { filterNumeric } from '@/format/numeric-input'
import { cx } from '@/ui/cx'
import { Num } from '@/ui/num'
import type { ProtectionInput } from '../../model/ticket-store'
import styles from './order-ticket.module.css'

export type ProtectionFieldProps = {
  kind: 'stopLoss' | 'takeProfit'
  product: Product
  value: ProtectionInput
  /** The profit at that price in the account's currency; null while unknown. */
  amount: string | null
  /** The initial price when it is switched on. */
  suggestion: string
  error?: string | undefined
  onChange: (value: ProtectionInput) => void
}

/** A stop loss or take profit: a switch, its price, and the resulting profit. */
export function ProtectionField({
  kind,
  product,
  value,
  amount,
  suggestion,
  error,
  onChange,
}: ProtectionFieldProps) {
  const { t } = useTranslation()
  const id = useId()
  const label = t(kind === 'stopLoss' ? 'trade.stop_loss' : 'trade.take_profit')
  const toggle = () =>
    onChange(value.on ? { on: false, price: '' } : { on: true, price: value.price || suggestion })
  return (
    <div>
      <div className={styles.protection}>
        <button
          type="button"
          role="switch"
          aria-checked={value.on}
          className={styles.toggle}
          onClick={toggle}
        >
          <span className={cx(styles.switch, value.on && styles.on)} aria-hidden />
          {label}
        </button>
        <input
          id={id}
          className={cx(styles.field, error && styles.invalid)}
          inputMode="decimal"
          autoComplete="off"
          dir="ltr"
          aria-label={t('trade.price_of', { what: label })}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={error ? `${id}-error` : undefined}
          disabled={!value.on}
          value={value.price}
          onChange={(event) =>
            onChange({ on: true, price: filterNumeric(event.target.value, product.point) })
          }
        />
        <output
          htmlFor={id}
          className={cx(
            styles.amount,
            value.on && amount?.startsWith('-') && 'down',
            value.on && amount && !amount.startsWith('-') && 'up',
          )}
        >
          {value.on && amount !== null ? <Num>{formatSigned(amount)}</Num> : <Num>–</Num>}
        </output>
      </div>
      {error && (
        <p id={`${id}-error`} className={styles.problem} role="alert">
          {error}
        </p>
      )}
    </div>
  )
}
