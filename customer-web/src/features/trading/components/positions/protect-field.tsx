import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { Wire } from '@/api/client'
import type { Product } from '@/features/market/api/products'
import { formatSigned } from '@/format/amount'
import { bidiIsolate } from '@/format/bidi-isolate'
import { formatPrice } from '@/format/price'
import { type LiveQuote, quoteStore } from '@/live/quote-store'
import { usePreferences } from '@/theme/preferences'
import { cx } from '@/ui/cx'
import { Num } from '@/ui/num'
import { suggestPrice } from '../../model/lots'
import {
  amountAt,
  filterAmount,
  isTooNear,
  liesBelow,
  nearestPrice,
  type ProtectionKind,
  priceFor,
  signedAmount,
} from '../../model/protection'
import { filterInUnit, priceOf, textOf } from '../../model/protection-unit'
import styles from './position-sheets.module.css'

export type Protection = {
  on: boolean
  price: string
  /** As typed; null while it follows from the price. */
  amount: string | null
  /** The same for the distance or share of the price, where that is typed. */
  text?: string | null
}

export type ProtectFieldProps = {
  kind: ProtectionKind
  product: Product
  position: Wire['Position']
  quote: LiveQuote | undefined
  /** The current closing price of the position. */
  current: string | undefined
  value: Protection
  problem: string | undefined
  disabled: boolean
  onChange: (value: Protection) => void
}

const read = (productId: number) => quoteStore.get(productId)

/** A stop loss or take profit: a switch, a price and an amount that follow each other. */
export function ProtectField({
  kind,
  product,
  position,
  quote,
  current,
  value,
  problem,
  disabled,
  onChange,
}: ProtectFieldProps) {
  const { t } = useTranslation()
  const id = useId()
  const what = t(kind === 'stopLoss' ? 'trade.stop_loss' : 'trade.take_profit')
  const below = liesBelow(position.side, kind)
  const nearest = quote ? nearestPrice(product, position.side, kind, quote) : null
  const tooNear = value.on && nearest !== null && isTooNear(value.price, nearest, below, product)
  const follows = value.on ? amountAt(product, position, value.price, read) : null
  const amount = value.amount ?? (follows === null ? '' : formatSigned(follows).replaceAll(',', ''))
  const direction = /^[-\u2212]/.test(amount) ? 'down' : amount === '' ? undefined : 'up'
  const chosen = usePreferences(({ protectionUnit }) => protectionUnit)
  const unit = chosen === 'amount' ? 'price' : chosen
  const order = { side: position.side, lots: position.lots, open: position.openPrice }
  const text =
    unit === 'price'
      ? value.price
      : (value.text ?? textOf(unit, kind, product, order, value.price, read))
  const invalid = problem !== undefined || tooNear

  const turn = (on: boolean) => {
    const start = on && value.price === '' && current ? suggestPrice(product, current, !below) : ''
    onChange({ ...value, on, ...(start ? { price: start, amount: null } : {}) })
  }

  const typeText = (typed: string) => {
    const kept = filterInUnit(unit, product, typed)
    const price = unit === 'price' ? kept : (priceOf(unit, kind, product, order, kept, read) ?? '')
    onChange({ on: true, price, amount: null, text: unit === 'price' ? null : kept })
  }

  const typeAmount = (text: string) => {
    const typed = filterAmount(text)
    const price = priceFor(product, position, signedAmount(typed, kind), read)
    onChange({ ...value, amount: typed, price: price ?? '', text: null })
  }

  return (
    <fieldset className={styles.protect}>
      <legend className="visually-hidden">{what}</legend>
      <label className={styles.toggle}>
        <input
          type="checkbox"
          role="switch"
          checked={value.on}
          aria-checked={value.on}
          disabled={disabled}
          onChange={(event) => turn(event.target.checked)}
        />
        {what}
      </label>
      {value.on && (
        <>
          <label className={styles.input}>
            <span>
              {unit === 'price' ? (
                t('position.protect.price')
              ) : (
                <>
                  {t('position.trail.distance')} ·{' '}
                  <Num>{formatPrice(value.price, product.point)}</Num>
                </>
              )}
            </span>
            <input
              inputMode="decimal"
              autoComplete="off"
              dir="ltr"
              aria-label={
                unit === 'price'
                  ? t('position.protect.price_of', { what })
                  : t('trade.distance_of', { what })
              }
              aria-invalid={invalid || undefined}
              aria-describedby={id}
              disabled={disabled}
              value={text}
              onChange={(event) => typeText(event.target.value)}
              onBlur={() => value.text && onChange({ ...value, text: null })}
            />
          </label>
          <label className={styles.input}>
            <span>{t('position.protect.amount')}</span>
            <input
              inputMode="decimal"
              autoComplete="off"
              dir="ltr"
              className={cx(direction)}
              aria-label={t('position.protect.amount_of', { what })}
              aria-describedby={id}
              disabled={disabled}
              value={amount}
              onChange={(event) => typeAmount(event.target.value)}
              onBlur={() => value.amount !== null && onChange({ ...value, amount: null })}
            />
          </label>
          <p
            id={id}
            className={cx(styles.limit, (problem || tooNear) && styles.problem)}
            {...(problem ? { role: 'alert' } : {})}
          >
            {problem ??
              (nearest !== null &&
                t(below ? 'position.protect.at_most' : 'position.protect.at_least', {
                  limit: bidiIsolate(formatPrice(nearest, product.point)),
                }))}
          </p>
        </>
      )}
    </fieldset>
  )
}
