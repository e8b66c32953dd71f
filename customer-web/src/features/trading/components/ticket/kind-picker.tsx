import { useTranslation } from 'react-i18next'
import { Segments } from '@/ui/segments'
import type { OrderKind } from '../../model/ticket-store'

export type KindPickerProps = { kind: OrderKind; onPick: (kind: OrderKind) => void }

const KINDS = ['market', 'limit', 'stop', 'stop_limit', 'oco'] as const

/** The order kind: market, pending, or OCO. */
export function KindPicker({ kind, onPick }: KindPickerProps) {
  const { t } = useTranslation()
  return (
    <Segments<OrderKind>
      label={t('trade.kind')}
      value={kind}
      onPick={onPick}
      options={KINDS.map((value) => ({
        value,
        text: t(value === 'oco' ? 'trade.oco' : `trade.rule_of.${value}`),
      }))}
    />
  )
}
