import { useTranslation } from 'react-i18next'
import { useDesktop } from '@/theme/use-media'
import { Button } from '@/ui/button'
import { EmptyState } from '@/ui/empty-state'
import styles from './deposit.module.css'
import { HistoryList } from './history-list'
import { HistoryPages } from './history-pages'

export type DepositHistoryProps = { pathOf: (depositId: number) => string; newPath: string }

/** All deposits: numbered pages on a desktop, more and more of them on a phone. */
export function DepositHistory({ pathOf, newPath }: DepositHistoryProps) {
  const { t } = useTranslation()
  const desktop = useDesktop()
  const empty = (
    <EmptyState
      text={t('deposit.history.empty')}
      action={<Button to={newPath}>{t('deposit.new')}</Button>}
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
