import { useTranslation } from 'react-i18next'
import styles from '@/features/deposit/components/deposit.module.css'
import { useDesktop } from '@/theme/use-media'
import { Button } from '@/ui/button'
import { EmptyState } from '@/ui/empty-state'
import { HistoryList } from './history-list'
import { HistoryPages } from './history-pages'

export type WithdrawalHistoryProps = { pathOf: (withdrawalId: number) => string; newPath: string }

/** All withdrawals: numbered pages on a desktop, more and more of them on a phone. */
export function WithdrawalHistory({ pathOf, newPath }: WithdrawalHistoryProps) {
  const { t } = useTranslation()
  const desktop = useDesktop()
  const empty = (
    <EmptyState
      text={t('withdraw.history.empty')}
      action={<Button to={newPath}>{t('withdraw.new')}</Button>}
    />
  )
  return (
    <section className={styles.block}>
      {desktop ? (
        <HistoryPages pathOf={pathOf} empty={empty} />
      ) : (
        <HistoryList pathOf={pathOf} empty={empty} />
      )}
    </section>
  )
}
