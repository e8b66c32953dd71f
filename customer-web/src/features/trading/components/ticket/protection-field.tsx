import { type Ref, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Product } from '@/features/market/api/products'
import { formatSigned } from '@/format/amount'
import { completeNumeric } from '@/format/numeric-input'
import { formatPrice } from '@/format/price'
import { readQuote } from '@/live/quote-store'
import { usePreferences } from '@/theme/preferences'
import { cx } from '@/ui/cx'
import { FieldMessage } from '@/ui/form/field-message'
import { NumberInput } from '@/ui/form/number-input'
import { Num } from '@/ui/num'
import { filterInUnit, type Protected, priceOf, textOf } from '../../model/protection-unit'
import type { ProtectionInput, Side } from '../../model/ticket-store'
import { useProtectionLimit } from '../../model/use-protection-limit'
import { ProtectSwitch } from '../positions/protect-switch'
import styles from './order-ticket.module.css'

export type ProtectionFieldProps = {
  kind: 'stopLoss' | 'takeProfit'
  product: Product
  side: Side
  value: ProtectionInput
  /** The order as if filled; null while its price is unknown. */
  order: Protected | null
  /** The profit at that price in the account's currency; null while unknown. */
  amount: string | null
  /** The initial price when it is switched on. */
  suggestion: string
  error?: string | undefined
  /** The quote that the engine compares it with, unless the form reports its limit. */
  quote?: { bid: string; ask: string } | undefined
  disabled?: boolean
  onChange: (value: ProtectionInput) => void
  inputRef?: Ref<HTMLInputElement | HTMLTextAreaElement>
}

/** A stop loss or take profit: a switch, its value in the chosen unit, and what follows from it. */
export function ProtectionField({
  kind,
  product,
  side,
  value,
  order,
  amount,
  suggestion,
  error,
  quote,
  disabled = false,
  onChange,
  inputRef,
}: ProtectionFieldProps) {
  const { t } = useTranslation()
  const id = useId()
  const chosen = usePreferences(({ protectionUnit }) => protectionUnit)
  const unit = order ? chosen : 'price'
  const limit = useProtectionLimit(product, side, kind, completeNumeric(value.price), quote)
  const problem = error ?? (value.on && limit?.broken ? limit.text : undefined)
  const hint = value.on && limit?.text
  // While the field is edited its text stays as typed; its price follows the market only when it is typed again.
  const [typed, setTyped] = useState<string | null>(null)
  const label = t(kind === 'stopLoss' ? 'trade.stop_loss' : 'trade.take_profit')
  const name = { price: 'trade.price_of', amount: 'position.protect.amount_of' } as const
  const turn = (on: boolean) => {
    setTyped(null)
    onChange({ on, price: on ? value.price || suggestion : '' })
  }
  const type = (text: string) => {
    const kept = filterInUnit(unit, product, text)
    const price = order ? priceOf(unit, kind, product, order, kept, readQuote) : kept
    setTyped(kept)
    onChange({ on: true, price: unit === 'price' ? kept : (price ?? '') })
  }
  const shown =
    typed !== null && unit !== 'price'
      ? typed
      : order
        ? textOf(unit, kind, product, order, value.price, readQuote)
        : value.price
  return (
    <div className={styles.guard}>
      <div className={styles.protection}>
        <ProtectSwitch
          className={styles.toggle}
          label={label}
          on={value.on}
          disabled={disabled}
          onTurn={turn}
        />
        <NumberInput
          id={id}
          label={
            unit === 'price' || unit === 'amount'
              ? t(name[unit], { what: label })
              : t('trade.distance_of', { what: label })
          }
          className={styles.compact}
          invalid={problem !== undefined}
          describedBy={problem || hint ? `${id}-message` : undefined}
          disabled={disabled || !value.on}
          value={shown}
          inputRef={inputRef}
          onChange={type}
          onBlur={() => setTyped(null)}
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
      {value.on && unit !== 'price' && (
        <p className={styles.caption}>
          {t('trade.price')} <Num>{formatPrice(value.price, product.point)}</Num>
        </p>
      )}
      <FieldMessage id={`${id}-message`} error={problem} hint={hint} />
    </div>
  )
}
