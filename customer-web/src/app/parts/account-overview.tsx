import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { SecuritySummary } from '@/features/security/components/security-summary'
import { useMoneyEvents } from '@/features/wallet/api/money'
import { RecentMovements } from '@/features/wallet/components/recent-movements'
import block from '@/ui/block.module.css'
import { Button } from '@/ui/button'
import { causePath, LEDGER_PATH } from '../nav/ledger-paths'
import styles from './account-overview.module.css'

export type AccountOverviewProps = {
  /** The account's value. */
  assets: ReactNode
  /** A guest has no security settings and no second device. */
  guest: boolean
  onOpenElsewhere: () => void
  logOut: ReactNode
}

/** The user centre of a desktop: value and newest movements, security and this session beside them. */
export function AccountOverview({ assets, guest, onOpenElsewhere, logOut }: AccountOverviewProps) {
  const { t } = useTranslation()
  useMoneyEvents()
  return (
    <div className={styles.columns}>
      <div className={styles.column}>
        {assets}
        <RecentMovements allPath={LEDGER_PATH} pathOf={causePath} />
      </div>
      <div className={styles.column}>
        {!guest && <SecuritySummary />}
        <section className={block.block} aria-label={t('me.session')}>
          {!guest && (
            <Button size="large" block onClick={onOpenElsewhere}>
              {t('me.elsewhere')}
            </Button>
          )}
          {logOut}
        </section>
      </div>
    </div>
  )
}
