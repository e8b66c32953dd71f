import { useTranslation } from 'react-i18next'
import type { Product } from '@/features/market/api/products'
import { distanceUnit } from '@/features/market/model/pips'
import {
  type ProtectionUnit,
  protectionUnits,
  setPreferences,
  usePreferences,
} from '@/theme/preferences'
import { Segments } from '@/ui/segments'
import styles from './order-ticket.module.css'

/** The short name of a unit: "pips", "%". */
export function useUnitName(product: Product): (unit: ProtectionUnit) => string {
  const { t } = useTranslation()
  return (unit) => {
    switch (unit) {
      case 'price':
        return t('trade.price')
      case 'percent':
        return '%'
      case 'amount':
        return 'USDT'
      case 'distance': {
        const own = distanceUnit(product)
        return own === 'money' ? `± ${product.quote}` : t(`figure.${own}`)
      }
    }
  }
}

export type UnitPickerProps = {
  product: Product
  /** The units that can be chosen; all of them by default. */
  units?: readonly ProtectionUnit[]
}

/** The unit in which stop loss, take profit and a trailing stop are typed, remembered on this device. */
export function UnitPicker({ product, units = protectionUnits }: UnitPickerProps) {
  const { t } = useTranslation()
  const chosen = usePreferences(({ protectionUnit }) => protectionUnit)
  const shown = units.includes(chosen) ? chosen : (units[0] ?? 'price')
  const label = useUnitName(product)
  return (
    <Segments<ProtectionUnit>
      label={t('trade.protection_unit')}
      value={shown}
      onPick={(protectionUnit) => setPreferences({ protectionUnit })}
      options={units.map((value) => ({
        value,
        text: <span className={styles.ltr}>{label(value)}</span>,
      }))}
    />
  )
}
