import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { OrderKind } from '../../model/ticket-store'
import styles from './kind-picker.module.css'

export type KindPickerProps = { kind: OrderKind; onPick: (kind: OrderKind) => void }

const KINDS = ['market', 'limit', 'stop', 'stop_limit', 'oco'] as const

/** The order kind as a row of radio buttons: market, pending, or OCO. */
export function KindPicker({ kind, onPick }: KindPickerProps) {
  const { t } = useTranslation()
  const name = useId()
  return (
    <fieldset className={styles.kinds}>
      <legend className="visually-hidden">{t('trade.kind')}</legend>
      {KINDS.map((one) => (
        <label key={one} className={styles.kind}>
          <input type="radio" name={name} checked={one === kind} onChange={() => onPick(one)} />
          {t(one === 'oco' ? 'trade.oco' : `trade.rule_of.${one}`)}
        </label>
      ))}
    </fieldset>
  )
}
