import { type Ref, useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { Wire } from '@/api/client'
import type { Product } from '@/features/market/api/products'
import { formatSigned } from '@/format/amount'
import { formatPrice } from '@/format/price'
import { readQuote } from '@/live/quote-store'
import { useQuote } from '@/live/use-quote'
import { usePreferences } from '@/theme/preferences'
import { FieldMessage } from '@/ui/form/field-message'
import { Num } from '@/ui/num'
import { suggestPrice } from '../../model/lots'
import type { Protection } from '../../model/protect-schema'
import {
  amountAt,
  filterAmount,
  liesBelow,
  type ProtectionKind,
  priceFor,
  signedAmount,
} from '../../model/protection'
import { filterInUnit, priceOf, textOf } from '../../model/protection-unit'
import { useLivePosition } from '../../model/use-live-position'
import { useProtectionLimit } from '../../model/use-protection-limit'
import { CaptionedNumber } from './captioned-number'
import styles from './position-sheets.module.css'
import { ProtectSwitch } from './protect-switch'

export type ProtectFieldProps = {
  kind: ProtectionKind
  product: Product
  position: Wire['Position']
  value: Protection
  error: string | undefined
  disabled: boolean
  onChange: (value: Protection) => void
  inputRef: Ref<HTMLInputElement | HTMLTextAreaElement>
}

/** A stop loss or take profit: a switch, a price and an amount that follow each other. */
export function ProtectField({
  kind,
  product,
  value,
  error,
  disabled,
  onChange,
  inputRef,
  ...props
}: ProtectFieldProps) {
  const { t } = useTranslation()
  const id = useId()
  const { position } = useLivePosition(props.position)
  const quote = useQuote(product.productId)
  useQuote(product.conversion.productId || product.productId)
  const what = t(kind === 'stopLoss' ? 'trade.stop_loss' : 'trade.take_profit')
  const below = liesBelow(position.side, kind)
  const limit = useProtectionLimit(product, position.side, kind, value.price, quote)
  const follows = value.on ? amountAt(product, position, value.price, readQuote) : null
  const amount = value.amount ?? (follows === null ? '' : formatSigned(follows).replaceAll(',', ''))
  const direction = /^[-\u2212]/.test(amount) ? 'down' : amount === '' ? undefined : 'up'
  const chosen = usePreferences(({ protectionUnit }) => protectionUnit)
  const unit = chosen === 'amount' ? 'price' : chosen
  const order = { side: position.side, lots: position.lots, open: position.openPrice }
  const text =
    unit === 'price'
      ? value.price
      : (value.text ?? textOf(unit, kind, product, order, value.price, readQuote))
  const problem = error ?? (value.on && limit?.broken ? limit.text : undefined)
  const describedBy = problem || limit ? id : undefined

  const turn = (on: boolean) => {
    const current = position.side === 'buy' ? quote?.bid : quote?.ask
    const start = on && value.price === '' && current ? suggestPrice(product, current, !below) : ''
    onChange({ ...value, on, ...(start ? { price: start, amount: null } : {}) })
  }

  const typeText = (typed: string) => {
    const kept = filterInUnit(unit, product, typed)
    const price =
      unit === 'price' ? kept : (priceOf(unit, kind, product, order, kept, readQuote) ?? '')
    onChange({ on: true, price, amount: null, text: unit === 'price' ? null : kept })
  }

  const typeAmount = (typed: string) => {
    const kept = filterAmount(typed)
    const price = priceFor(product, position, signedAmount(kept, kind), readQuote)
    onChange({ ...value, amount: kept, price: price ?? '', text: null })
  }

  return (
    <fieldset className={styles.protect}>
      <legend className="visually-hidden">{what}</legend>
      <ProtectSwitch label={what} on={value.on} disabled={disabled} onTurn={turn} />
      {value.on && (
        <>
          <CaptionedNumber
            caption={
              unit === 'price' ? (
                t('position.protect.price')
              ) : (
                <>
                  {t('position.trail.distance')} ·{' '}
                  <Num>{formatPrice(value.price, product.point)}</Num>
                </>
              )
            }
            label={
              unit === 'price'
                ? t('position.protect.price_of', { what })
                : t('trade.distance_of', { what })
            }
            invalid={problem !== undefined}
            describedBy={describedBy}
            disabled={disabled}
            inputRef={inputRef}
            value={text}
            onChange={typeText}
            onBlur={() => value.text && onChange({ ...value, text: null })}
          />
          <CaptionedNumber
            caption={t('position.protect.amount')}
            label={t('position.protect.amount_of', { what })}
            inputClassName={direction}
            describedBy={describedBy}
            disabled={disabled}
            value={amount}
            onChange={typeAmount}
            onBlur={() => value.amount !== null && onChange({ ...value, amount: null })}
          />
          <div className={styles.limit}>
            <FieldMessage id={id} error={problem} hint={limit?.text} />
          </div>
        </>
      )}
    </fieldset>
  )
}
