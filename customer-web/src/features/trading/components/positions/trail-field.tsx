import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { Product } from '@/features/market/api/products'
import { useDistanceText } from '@/features/market/model/pips'
import { completeNumeric, filterNumeric } from '@/format/numeric-input'
import { formatPrice } from '@/format/price'
import { cx } from '@/ui/cx'
import type { ProtectionInput } from '../../model/ticket-store'
import { isValidTrail, suggestTrail, trailLimits, trailStart } from '../../model/trailing'
import styles from './position-sheets.module.css'

export type TrailFieldProps = {
  product: Product
  side: 'buy' | 'sell'
  /** The current closing price of the position. */
  current: string | undefined
  /** `price` is the distance. */
  value: ProtectionInput
  /** The level of the position's trailing stop, if this distance leaves it unchanged. */
  level: string | undefined
  problem: string | undefined
  disabled: boolean
  onChange: (value: ProtectionInput) => void
}

/** A trailing stop: a switch, the distance, and the resulting level. */
export function TrailField(props: TrailFieldProps) {
  const { product, side, current, value, level, problem, disabled, onChange } = props
  const { t } = useTranslation()
  const id = useId()
  const text = useDistanceText(product)
  const what = t('trade.rule_of.trailing')
  const limits = trailLimits(product, current)
  const distance = completeNumeric(value.price)
  const outside = limits !== null && distance !== '' && !isValidTrail(distance, limits, product)
  const start = level ?? (outside ? null : trailStart(product, side, current, distance))
  const bad = problem ?? (outside ? t('error.order.trail', limits) : undefined)

  const turn = (on: boolean) =>
    onChange({ on, price: value.price || (current ? suggestTrail(product, current) : '') })

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
            <span>{t('position.trail.distance')}</span>
            <input
              inputMode="decimal"
              autoComplete="off"
              dir="ltr"
              aria-label={t('position.trail.distance_of')}
              aria-invalid={bad !== undefined || undefined}
              aria-describedby={id}
              disabled={disabled}
              value={value.price}
              onChange={(event) =>
                onChange({ on: true, price: filterNumeric(event.target.value, product.point) })
              }
            />
          </label>
          <div className={styles.input}>
            <span>{t('position.trail.start')}</span>
            <output htmlFor={id} className={styles.output} dir="ltr">
              {start === null ? '–' : formatPrice(start, product.point)}
            </output>
          </div>
          <p
            id={id}
            className={cx(styles.limit, bad && styles.problem)}
            {...(problem ? { role: 'alert' } : {})}
          >
            {bad ??
              t(side === 'buy' ? 'position.trail.note_buy' : 'position.trail.note_sell', {
                distance: text(distance || '0'),
              })}
          </p>
        </>
      )}
    </fieldset>
  )
}
