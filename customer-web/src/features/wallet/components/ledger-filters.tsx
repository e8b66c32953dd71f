import { useTranslation } from 'react-i18next'
import { bidiIsolateAuto } from '@/format/bidi-isolate'
import { dayOf } from '@/format/days'
import { usePreferences } from '@/theme/preferences'
import { useDesktop } from '@/theme/use-media'
import { Disclosure } from '@/ui/disclosure'
import { FilterDay, Filters } from '@/ui/filters'
import { SelectField } from '@/ui/form/select-field'
import type { WalletAccount } from '../api/wallet'
import { useAccountLabels } from '../model/account-label'
import { filterCount, type LedgerFilter } from '../model/ledger-filter'
import { kinds } from '../model/ledger-labels'
import styles from './ledger-list.module.css'

export type LedgerFiltersProps = {
  filter: LedgerFilter
  /** Accounts that may have entries. */
  accounts: readonly WalletAccount[]
  onChange: (filter: LedgerFilter) => void
}

/** The ledger filters: account, kind of entry, and days; on a phone folded into one button. */
export function LedgerFilters(props: LedgerFiltersProps) {
  const { t } = useTranslation()
  const desktop = useDesktop()
  if (desktop) return <Fields {...props} />
  const count = filterCount(props.filter)
  return (
    <Disclosure
      head={count > 0 ? t('ledger.filters_on', { number: count }) : t('history.filters')}
      className={styles.toggle}
    >
      <Fields {...props} />
    </Disclosure>
  )
}

function Fields({ filter, accounts, onChange }: LedgerFiltersProps) {
  const { t } = useTranslation()
  const labelOf = useAccountLabels()
  const zone = usePreferences(({ timeZone }) => timeZone)
  const today = dayOf(Date.now(), zone)
  const { accountId, kind, from, to } = filter
  const trades = accounts.find((one) => one.kind === 'contract')
  return (
    <Filters>
      {trades && accounts.length > 1 && (
        <SelectField
          label={t('ledger.filter.account')}
          className={styles.wide}
          value={accountId ?? trades.accountId}
          options={accounts.map((one) => ({
            value: one.accountId,
            text: [
              one.currency,
              bidiIsolateAuto(labelOf(one)),
              ...(one.kind === 'contract' ? [one.accountId] : []),
            ].join(' · '),
          }))}
          onPick={(value) =>
            onChange({ ...filter, accountId: value === trades.accountId ? undefined : value })
          }
        />
      )}
      <SelectField
        label={t('ledger.filter.kind')}
        className={styles.wide}
        value={kind ?? ''}
        options={[
          { value: '', text: t('ledger.filter.all_kinds') },
          ...kinds.map((value) => ({ value, text: t(`ledger.kind.${value}`) })),
        ]}
        onPick={(value) => onChange({ ...filter, kind: value === '' ? undefined : value })}
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
