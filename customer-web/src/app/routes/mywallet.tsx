import { useTranslation } from 'react-i18next'
import { reasonOf } from '@/api/reason'
import { useIsDemo } from '@/features/session/model/session-store'
import { ChargeList } from '@/features/trading/components/charge-list'
import { useMoney, useMoneyEvents, useStatisticsQuery } from '@/features/wallet/api/money'
import { AccountCard } from '@/features/wallet/components/account-card'
import { EquityBlock } from '@/features/wallet/components/equity-block'
import { LedgerList } from '@/features/wallet/components/ledger-list'
import styles from '@/features/wallet/components/wallet.module.css'
import type { Cause } from '@/features/wallet/model/ledger-words'
import { useAccount } from '@/live/account-store'
import { Button } from '@/ui/button'
import { ErrorBlock } from '@/ui/error-block'
import { hasRoute } from '../routes'
import { Page } from '../shell/page'

const DEPOSIT_PATH = '/deposite'
const WITHDRAW_PATH = '/withdraw'
const HISTORY_PATH = '/historyOrders'
/** Charges at a time: the ledger is below. */
const CHARGES = 3

/** The wallet: what the account is worth, what that consists of, and everything that was booked. */
export default function MyWallet() {
  const { t } = useTranslation()
  const demo = useIsDemo()
  const money = useMoney()
  const asked = useStatisticsQuery()
  const pushed = useAccount((state) => state.statistics)
  useMoneyEvents()
  const statistics = pushed ?? asked.data
  const failed = !statistics && asked.isError ? asked : !money.data && money.isError ? money : null
  const depositPath = !demo && hasRoute(DEPOSIT_PATH) ? DEPOSIT_PATH : undefined
  const withdrawPath = !demo && hasRoute(WITHDRAW_PATH) ? WITHDRAW_PATH : undefined

  return (
    <Page title={t('wallet.title')}>
      <div className={styles.flow}>
        {failed ? (
          <section className={styles.block}>
            <ErrorBlock
              {...reasonOf(failed.error)}
              reassurance={t('wallet.reassurance')}
              onRetry={() => void failed.refetch()}
              retrying={failed.isFetching}
            />
          </section>
        ) : (
          <>
            <EquityBlock
              equity={statistics?.netValue}
              askedAt={asked.dataUpdatedAt}
              depositPath={depositPath}
              withdrawPath={withdrawPath}
            />
            <AccountCard demo={demo} money={money.data} statistics={statistics} />
          </>
        )}
        <section className={styles.block}>
          <div className={styles.title}>
            <h2>{t('charges.heading')}</h2>
            <span className={styles.unit}>USDT</span>
          </div>
          <ChargeList size={CHARGES} />
        </section>
        <LedgerList
          pathOf={causePath}
          firstStep={depositPath && <Button to={depositPath}>{t('wallet.deposit')}</Button>}
        />
      </div>
    </Page>
  )
}

function causePath({ of, id }: Cause): string | undefined {
  if (of === 'position' || of === 'adjustment') return undefined
  if (of === 'order') return hasRoute(HISTORY_PATH) ? HISTORY_PATH : undefined
  const path = of === 'deposit' ? DEPOSIT_PATH : WITHDRAW_PATH
  return hasRoute(path) ? `${path}?id=${id}` : undefined
}
