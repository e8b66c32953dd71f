import { useTranslation } from 'react-i18next'
import { dayOf } from '@/format/days'
import { usePreferences } from '@/theme/preferences'
import { FilterDay, FilterSelect, Filters } from '@/ui/filters'
import type { LedgerFilter } from '../model/ledger-filter'
import { kinds } from '../model/ledger-words'

export type LedgerFiltersProps = {
  filter: LedgerFilter
  onChange: (filter: LedgerFilter) => void
}

/** The kind of entry and the days in which it was booked. */
export function LedgerFilters({ filter, onChange }: LedgerFiltersProps) {
  const { t } = useTranslation()
  const zone = usePreferences(({ timeZone }) => timeZone)
  const today = dayOf(Date.now(), zone)
  const { kind, from, to } = filter
  return (
    <Filters>
      <FilterSelect
        label={t('ledger.filter.kind')}
        all={t('ledger.filter.all_kinds')}
        value={kind}
        options={kinds.map((value) => ({ value, text: t(`ledger.kind.${value}`) }))}
        onPick={(value) => onChange({ ...filter, kind: value })}
      />
      <FilterDay
        label={t('history.filter.from')}
        value={from}
        today={to ?? today}
        onPick={(day) => onChange({ ...filter, from: day })}
      />
      <FilterDay
        label={t('history.filter.to')}
        value={to}
        today={today}
        onPick={(day) => onChange({ ...filter, to: day })}
      />
    </Filters>
  )
}
