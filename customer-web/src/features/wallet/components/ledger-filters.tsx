import { useTranslation } from 'react-i18next'
import { dayOf } from '@/format/days'
import { usePreferences } from '@/theme/preferences'
import { FilterDay, FilterSelect, Filters } from '@/ui/filters'
import type { WalletAccount } from '../api/wallet'
import type { LedgerFilter } from '../model/ledger-filter'
import { kinds } from '../model/ledger-labels'

export type LedgerFiltersProps = {
  filter: LedgerFilter
  /** Accounts that may have entries. */
  accounts: readonly WalletAccount[]
  onChange: (filter: LedgerFilter) => void
}

/** The ledger filters: account, kind of entry, and days. */
export function LedgerFilters({ filter, accounts, onChange }: LedgerFiltersProps) {
  const { t } = useTranslation()
  const zone = usePreferences(({ timeZone }) => timeZone)
  const today = dayOf(Date.now(), zone)
  const { accountId, kind, from, to } = filter
  const trades = accounts.find((one) => one.kind === 'contract')
  // A narrow field truncates the end, and USDT must not read as USD.
  const nameOf = (one: WalletAccount) => `${one.currency} · ${t(`wallet.account.${one.kind}`)}`
  return (
    <Filters>
      {trades && accounts.length > 1 && (
        <FilterSelect
          label={t('ledger.filter.account')}
          all={nameOf(trades)}
          value={accountId}
          options={accounts
            .filter((one) => one !== trades)
            .map((one) => ({ value: one.accountId, text: nameOf(one) }))}
          onPick={(value) => onChange({ ...filter, accountId: value })}
        />
      )}
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
