import { useTranslation } from 'react-i18next'
import { orderEntries, setPreferences } from '@/theme/preferences'
import { ChoiceGroup } from '@/ui/choice-group'
import { useOrderEntry } from '../../model/order-entry'

const keys = { 'one-click': 'one_click', 'two-step': 'two_step', review: 'review' } as const

/** How a press on the ticket leads to an order. */
export function OrderEntryChoice() {
  const { t } = useTranslation()
  const entry = useOrderEntry()
  return (
    <ChoiceGroup
      label={t('order_settings.entry')}
      value={entry}
      onChange={(value) => setPreferences({ orderEntry: value })}
      columns={1}
      options={orderEntries.map((value) => ({
        value,
        label: t(`order_settings.entry.${keys[value]}`),
        explanation: t(`order_settings.entry.${keys[value]}.about`),
      }))}
    />
  )
}
