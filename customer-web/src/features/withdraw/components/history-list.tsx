import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import styles from '@/features/deposit/components/deposit.module.css'
import { ListFoot } from '@/features/list/components/list-foot'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { useWithdrawalList } from '../api/withdrawals'
import { WithdrawalRow } from './withdrawal-row'

export type HistoryListProps = { pathOf: (withdrawalId: number) => string; empty: ReactNode }

/** Withdrawals, newest first, and a button for more of them. */
export function HistoryList({ pathOf, empty }: HistoryListProps) {
  const { t } = useTranslation()
  const query = useWithdrawalList()
  if (query.isPending) return <SkeletonRows rows={6} rowHeight={60} />
  // A page that moved while another was read must not show a withdrawal twice.
  const all = new Map(
    query.data?.pages.flatMap(({ list }) => list).map((one) => [one.withdrawId, one]),
  )
  if (query.data && all.size === 0) return empty
  return (
    <>
      <ul className={styles.rows}>
        {[...all.values()].map((withdrawal) => (
          <WithdrawalRow
            key={withdrawal.withdrawId}
            withdrawal={withdrawal}
            to={pathOf(withdrawal.withdrawId)}
          />
        ))}
      </ul>
      <ListFoot query={query} reassurance={t('deposit.load_reassurance')} />
    </>
  )
}
