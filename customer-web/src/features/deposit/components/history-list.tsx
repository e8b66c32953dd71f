import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ListFoot } from '@/features/list/components/list-foot'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { useDepositList } from '../api/deposits'
import styles from './deposit.module.css'
import { DepositRow } from './deposit-row'

export type HistoryListProps = { pathOf: (depositId: number) => string; empty: ReactNode }

/** Deposits, newest first, and a button for more of them. */
export function HistoryList({ pathOf, empty }: HistoryListProps) {
  const { t } = useTranslation()
  const query = useDepositList()
  if (query.isPending) return <SkeletonRows rows={6} rowHeight={60} />
  // A page that moved while another was read must not show a deposit twice.
  const all = new Map(
    query.data?.pages.flatMap(({ list }) => list).map((one) => [one.rechargeId, one]),
  )
  if (query.data && all.size === 0) return empty
  return (
    <>
      <ul className={styles.rows}>
        {[...all.values()].map((deposit) => (
          <DepositRow key={deposit.rechargeId} deposit={deposit} to={pathOf(deposit.rechargeId)} />
        ))}
      </ul>
      <ListFoot query={query} reassurance={t('deposit.load_reassurance')} />
    </>
  )
}
