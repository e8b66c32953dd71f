import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { exportLedger } from '@/features/export/api/exports'
import { ExportButton } from '@/features/export/components/export-button'
import { ListFoot } from '@/features/list/components/list-foot'
import { usePreferences } from '@/theme/preferences'
import { Button } from '@/ui/button'
import { EmptyState } from '@/ui/empty-state'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { useLedger } from '../api/ledger'
import type { WalletAccount } from '../api/wallet'
import { isFiltered, type LedgerFilter, toLedgerQuery } from '../model/ledger-filter'
import { LedgerFilters } from './ledger-filters'
import styles from './ledger-list.module.css'
import { Movements, type MovementsProps } from './movements'
import wallet from './wallet.module.css'

export type LedgerListProps = Pick<MovementsProps, 'pathOf'> & {
  /** The trader's accounts; empty until known. */
  accounts: readonly WalletAccount[]
  /** The button shown for an account without entries. */
  firstStep?: ReactNode
}

/** An account's entries, newest first, with list filters and a "show more" button. */
export function LedgerList({ accounts, pathOf, firstStep }: LedgerListProps) {
  const { t } = useTranslation()
  const zone = usePreferences(({ timeZone }) => timeZone)
  const [filter, setFilter] = useState<LedgerFilter>({})
  const filtered = toLedgerQuery(filter, zone)
  const query = useLedger(filtered)
  const opened = accounts.filter(({ accountId }) => accountId !== 0)
  const shown = opened.find(({ accountId }) => accountId === filter.accountId)
  const lines = query.data?.pages.flatMap(({ list }) => list) ?? []
  return (
    <section className={wallet.block}>
      <div className={styles.tools}>
        <span className={styles.unit}>{shown?.currency ?? 'USDT'}</span>
        <div className={styles.filters}>
          <LedgerFilters filter={filter} accounts={opened} onChange={setFilter} />
        </div>
        <ExportButton name="candor-ledger" fetchFile={() => exportLedger(filtered)} />
      </div>
      {query.isPending && <SkeletonRows rows={6} rowHeight={60} />}
      {query.data &&
        lines.length === 0 &&
        !query.hasNextPage &&
        (isFiltered(filter) ? (
          <EmptyState
            text={t('ledger.none_found')}
            action={
              <Button onClick={() => setFilter({ accountId: filter.accountId })}>
                {t('ledger.show_all')}
              </Button>
            }
          />
        ) : (
          <EmptyState text={t('ledger.empty')} action={firstStep} />
        ))}
      {lines.length > 0 && <Movements lines={lines} pathOf={pathOf} />}
      <ListFoot query={query} reassurance={t('wallet.reassurance')} />
    </section>
  )
}
