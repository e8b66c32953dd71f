import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { reasonOf } from '@/api/reason'
import { PAGINATION_PAGE_SIZE } from '@/constants'
import styles from '@/features/deposit/components/deposit.module.css'
import { ErrorBlock } from '@/ui/error-block'
import { Pagination } from '@/ui/pagination'
import { pageInQuery } from '@/ui/pagination-pages'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { useWithdrawalPage } from '../api/withdrawals'
import { WithdrawalRow } from './withdrawal-row'

export type HistoryPagesProps = { pathOf: (withdrawalId: number) => string; empty: ReactNode }

/** One page of withdrawals and the numbers of all pages; the address keeps the page. */
export function HistoryPages({ pathOf, empty }: HistoryPagesProps) {
  const { t } = useTranslation()
  const [search, setSearch] = useSearchParams()
  const query = useWithdrawalPage(pageInQuery(search))

  const show = (page: number) => {
    const next = new URLSearchParams(search)
    next.set('page', String(page))
    setSearch(next, { replace: true })
  }

  if (query.isPending) return <SkeletonRows rows={PAGINATION_PAGE_SIZE} rowHeight={44} />
  if (query.isError) {
    return (
      <ErrorBlock
        {...reasonOf(query.error)}
        reassurance={t('deposit.load_reassurance')}
        onRetry={() => void query.refetch()}
        retrying={query.isFetching}
      />
    )
  }
  const { list, total } = query.data
  if (total === 0) return empty
  return (
    <>
      <ul className={styles.rows} aria-busy={query.isPlaceholderData}>
        {list.map((withdrawal) => (
          <WithdrawalRow
            key={withdrawal.withdrawId}
            withdrawal={withdrawal}
            to={pathOf(withdrawal.withdrawId)}
          />
        ))}
      </ul>
      <Pagination total={total} onChangePage={show} />
    </>
  )
}
