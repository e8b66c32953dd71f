import { type Ref, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Wire } from '@/api/client'
import type { Product } from '@/features/market/api/products'
import { useDistanceText } from '@/features/market/model/pips'
import { completeNumeric } from '@/format/numeric-input'
import { formatPrice } from '@/format/price'
import { useQuote } from '@/live/use-quote'
import { usePreferences } from '@/theme/preferences'
import { FieldMessage } from '@/ui/form/field-message'
import type { ProtectionInput } from '../../model/ticket-store'
import {
  filterTrail,
  isSameDistance,
  isValidTrail,
  limitTexts,
  suggestTrail,
  type TrailUnit,
  trailLimits,
  trailOf,
  trailStart,
  trailText,
} from '../../model/trailing'
import { useLivePosition } from '../../model/use-live-position'
import { useUnitName } from '../ticket/unit-picker'
import { CaptionedNumber } from './captioned-number'
import styles from './position-sheets.module.css'
import { ProtectSwitch } from './protect-switch'

export type TrailFieldProps = {
  product: Product
  position: Wire['Position']
  /** `price` is the distance, as a difference of prices. */
  value: ProtectionInput
  error: string | undefined
  disabled: boolean
  onChange: (value: ProtectionInput) => void
  inputRef: Ref<HTMLInputElement | HTMLTextAreaElement>
}

/** A trailing stop: a switch, the distance, and the resulting level. */
export function TrailField(props: TrailFieldProps) {
  const { product, value, error, disabled, onChange, inputRef } = props
  const { t } = useTranslation()
  const id = useId()
  const text = useDistanceText(product)
  const { position } = useLivePosition(props.position)
  const { side, trailingStop } = position
  const quote = useQuote(product.productId)
  const current = side === 'buy' ? quote?.bid : quote?.ask
  const what = t('trade.rule_of.trailing')
  const limits = trailLimits(product, current)
  const distance = completeNumeric(value.price)
  const unchanged = isSameDistance(distance, trailingStop, product)
  const level = unchanged ? position.trailingLevel : undefined
  const percent = usePreferences(({ protectionUnit }) => protectionUnit === 'percent')
  // A share needs a price.
  const unit = percent && current ? 'percent' : 'distance'
  const unitName = useUnitName(product)(unit)
  // The text stays as typed while the price moves.
  const [typed, setTyped] = useState<{ unit: TrailUnit; text: string } | null>(null)
  const outside = limits !== null && distance !== '' && !isValidTrail(distance, limits, product)
  const start = level ?? (outside ? null : trailStart(product, side, current, distance))

  const turn = (on: boolean) =>
    onChange({ on, price: value.price || (current ? suggestTrail(product, current) : '') })

  const type = (text: string) => {
    const kept = filterTrail(unit, product, text)
    setTyped({ unit, text: kept })
    onChange({ on: true, price: trailOf(unit, product, current, kept) })
  }

  return (
    <>
      <fieldset className={styles.protect}>
        <legend className="visually-hidden">{what}</legend>
        <ProtectSwitch label={what} on={value.on} disabled={disabled} onTurn={turn} />
        {value.on && (
          <>
            <CaptionedNumber
              id={`${id}-distance`}
              caption={`${t('position.trail.distance')} · ${unitName}`}
              label={`${t('position.trail.distance_of')} (${unitName})`}
              invalid={error !== undefined || outside}
              describedBy={id}
              disabled={disabled}
              inputRef={inputRef}
              value={
                typed?.unit === unit ? typed.text : trailText(unit, product, current, value.price)
              }
              onChange={type}
            />
            <div className={styles.input}>
              <span>{t('position.trail.start')}</span>
              <output htmlFor={`${id}-distance`} className={styles.output} dir="ltr">
                {start === null ? '–' : formatPrice(start, product.point)}
              </output>
            </div>
            <div className={styles.limit}>
              <FieldMessage
                id={id}
                error={
                  error ?? (outside ? t('error.order.trail', limitTexts(limits, text)) : undefined)
                }
                hint={t(side === 'buy' ? 'position.trail.note_buy' : 'position.trail.note_sell', {
                  distance: text(distance || '0'),
                })}
              />
            </div>
          </>
        )}
      </fieldset>
      {trailingStop !== undefined && value.on && !unchanged && (
        <p className={styles.note}>{t('position.trail.anew')}</p>
      )}
    </>
  )
}
