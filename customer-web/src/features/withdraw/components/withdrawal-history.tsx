import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { GrowingList } from '@/features/list/components/growing-list'
import { NumberedList } from '@/features/list/components/numbered-list'
import { useDesktop } from '@/theme/use-media'
import styles from '@/ui/block.module.css'
import { Button } from '@/ui/button'
import { EmptyState } from '@/ui/empty-state'
import { pageInQuery } from '@/ui/pagination-pages'
import { useWithdrawalList, useWithdrawalPage, type Withdrawal } from '../api/withdrawals'
import { WithdrawalRow } from './withdrawal-row'

export type WithdrawalHistoryProps = { pathOf: (withdrawalId: number) => string; newPath: string }
type Shown = {
  row: (one: Withdrawal, all: readonly Withdrawal[]) => ReactNode
  empty: ReactNode
  reassurance: string
}

/** All withdrawals: numbered pages on a desktop, "show more" on a phone. */
export function WithdrawalHistory({ pathOf, newPath }: WithdrawalHistoryProps) {
  const { t } = useTranslation()
  const desktop = useDesktop()
  const shown: Shown = {
    row: (one, all) => (
      <WithdrawalRow
        key={one.withdrawId}
        withdrawal={one}
        among={all}
        to={pathOf(one.withdrawId)}
      />
    ),
    empty: (
      <EmptyState
        text={t('withdraw.history.empty')}
        action={<Button to={newPath}>{t('withdraw.new')}</Button>}
      />
    ),
    reassurance: t('deposit.load_reassurance'),
  }
  return (
    <section className={styles.block}>
      {desktop ? <Pages {...shown} /> : <More {...shown} />}
    </section>
  )
}

function Pages(shown: Shown) {
  const [search] = useSearchParams()
  const query = useWithdrawalPage(pageInQuery(search))
  return <NumberedList query={query} className={styles.rows} {...shown} />
}

function More(shown: Shown) {
  const query = useWithdrawalList()
  return (
    <GrowingList query={query} idOf={(one) => one.withdrawId} className={styles.rows} {...shown} />
  )
}
