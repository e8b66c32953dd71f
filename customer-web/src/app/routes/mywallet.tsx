import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { reasonOf } from '@/api/reason'
import { useSwitch } from '@/features/switches/api/front-config'
import { useMoney, useMoneyEvents, useStatisticsQuery } from '@/features/wallet/api/money'
import { useWallet } from '@/features/wallet/api/wallet'
import { AccountCard } from '@/features/wallet/components/account-card'
import { AssetList } from '@/features/wallet/components/asset-list'
import { EquityBlock } from '@/features/wallet/components/equity-block'
import { ExchangeSheet } from '@/features/wallet/components/exchange-sheet'
import { RecentMovements } from '@/features/wallet/components/recent-movements'
import { TotalIn } from '@/features/wallet/components/total-in'
import { type End, TransferSheet } from '@/features/wallet/components/transfer-sheet'
import styles from '@/features/wallet/components/wallet.module.css'
import type { Currency } from '@/features/wallet/model/currencies'
import { totalOf } from '@/features/wallet/model/total'
import { useAccount } from '@/live/account-store'
import { useIsDemo } from '@/session/session-store'
import { Button } from '@/ui/button'
import { cx } from '@/ui/cx'
import { ErrorBlock } from '@/ui/error-block'
import { causePath, LEDGER_PATH } from '../nav/ledger-paths'
import { Page } from '../parts/page'
import { hasRoute } from '../routes'

const DEPOSIT_PATH = '/deposite'
const WITHDRAW_PATH = '/withdraw'
const WITHDRAWALS_PATH = `${WITHDRAW_PATH}?tab=history`

/** What is open over the page. */
type Open = { transfer: End | undefined } | { convert: Currency }

/** The wallet: total value, the assets with what can be done with them, the trading account, the newest movements. */
export default function MyWallet() {
  const { t } = useTranslation()
  const demo = useIsDemo()
  const exchanges = useSwitch('exchange.enabled')
  const money = useMoney()
  const wallet = useWallet()
  const asked = useStatisticsQuery()
  const pushed = useAccount((state) => state.statistics)
  const [search, setSearch] = useSearchParams()
  const linked = search.get('transfer') === 'trade'
  const [open, setOpen] = useState<Open | null>(linked ? { transfer: undefined } : null)
  useMoneyEvents()
  const statistics = pushed ?? asked.data
  const failed = [
    statistics ? null : asked,
    money.data ? null : money,
    demo || wallet.data ? null : wallet,
  ].find((query) => query?.isError)
  const depositPath = !demo && hasRoute(DEPOSIT_PATH) ? DEPOSIT_PATH : undefined
  const withdrawPath = !demo && hasRoute(WITHDRAW_PATH) ? WITHDRAW_PATH : undefined
  const accounts = wallet.data?.accounts
  const total = accounts && statistics && totalOf(statistics.netValue, accounts)
  const close = () => {
    setOpen(null)
    if (linked) setSearch({}, { replace: true })
  }

  return (
    <Page title={t('wallet.title')} wide>
      <div className={cx(styles.flow, styles.columns)}>
        <div className={styles.column}>
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
            <EquityBlock
              title={t(demo ? 'wallet.equity' : 'wallet.total')}
              equity={demo ? statistics?.netValue : total}
              below={!demo && <TotalIn total={total} wallet={wallet.data} />}
              askedAt={asked.dataUpdatedAt}
              depositPath={depositPath}
              withdrawPath={withdrawPath}
            />
          )}
          {!demo && !failed && (
            <AssetList
              accounts={accounts}
              equity={statistics?.netValue}
              depositPath={depositPath}
              withdrawPath={withdrawPath}
              onTransfer={(transfer) => setOpen({ transfer })}
              onConvert={exchanges ? (convert) => setOpen({ convert }) : undefined}
            />
          )}
          <RecentMovements
            allPath={LEDGER_PATH}
            pathOf={causePath}
            firstStep={depositPath && <Button to={depositPath}>{t('wallet.deposit')}</Button>}
          />
        </div>
        {!failed && (
          <div className={styles.column}>
            <AccountCard
              demo={demo}
              money={money.data}
              statistics={statistics}
              account={accounts?.find(({ kind }) => kind === 'contract')}
              available={accounts?.find(({ kind }) => kind === 'contract')?.available}
              withdrawalsPath={withdrawPath && WITHDRAWALS_PATH}
              bonusPath="/bonus"
            />
          </div>
        )}
      </div>
      {open && 'transfer' in open && !demo && accounts && (
        <TransferSheet accounts={accounts} from={open.transfer} onClose={close} />
      )}
      {open && 'convert' in open && accounts && (
        <ExchangeSheet accounts={accounts} from={open.convert} onClose={close} />
      )}
    </Page>
  )
}
