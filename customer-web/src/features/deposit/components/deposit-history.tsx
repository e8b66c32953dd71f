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
import { type Deposit, useDepositList, useDepositPage } from '../api/deposits'
import { DepositRow } from './deposit-row'

export type DepositHistoryProps = { pathOf: (depositId: number) => string; newPath: string }
type Shown = {
  row: (one: Deposit, all: readonly Deposit[]) => ReactNode
  empty: ReactNode
  reassurance: string
}

/** All deposits: numbered pages on a desktop, "show more" on a phone. */
export function DepositHistory({ pathOf, newPath }: DepositHistoryProps) {
  const { t } = useTranslation()
  const desktop = useDesktop()
  const shown: Shown = {
    row: (one, all) => (
      <DepositRow key={one.rechargeId} deposit={one} among={all} to={pathOf(one.rechargeId)} />
    ),
    empty: (
      <EmptyState
        text={t('deposit.history.empty')}
        action={<Button to={newPath}>{t('deposit.new')}</Button>}
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
  const query = useDepositPage(pageInQuery(search))
  return <NumberedList query={query} className={styles.rows} {...shown} />
}

function More(shown: Shown) {
  const query = useDepositList()
  return (
    <GrowingList query={query} idOf={(one) => one.rechargeId} className={styles.rows} {...shown} />
  )
}
