import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { reasonOf } from '@/api/reason'
import { useSwitch } from '@/features/switches/api/front-config'
import { ChargeList } from '@/features/trading/components/positions/charge-list'
import { useMoney, useMoneyEvents, useStatisticsQuery } from '@/features/wallet/api/money'
import { useWallet } from '@/features/wallet/api/wallet'
import { AccountCard } from '@/features/wallet/components/account-card'
import { CauseSheet } from '@/features/wallet/components/cause-sheet'
import { EquityBlock } from '@/features/wallet/components/equity-block'
import { ExchangeSheet } from '@/features/wallet/components/exchange-sheet'
import { FundingCard } from '@/features/wallet/components/funding-card'
import { LedgerList } from '@/features/wallet/components/ledger-list'
import { TotalIn } from '@/features/wallet/components/total-in'
import { TransferSheet } from '@/features/wallet/components/transfer-sheet'
import styles from '@/features/wallet/components/wallet.module.css'
import type { Cause } from '@/features/wallet/model/ledger-labels'
import { totalOf } from '@/features/wallet/model/total'
import { useAccount } from '@/live/account-store'
import { useIsDemo } from '@/session/session-store'
import { Button } from '@/ui/button'
import { ErrorBlock } from '@/ui/error-block'
import { hasRoute } from '../routes'
import { Page } from '../shell/page'

const DEPOSIT_PATH = '/deposite'
const WITHDRAW_PATH = '/withdraw'
const WITHDRAWALS_PATH = `${WITHDRAW_PATH}?tab=history`
const HISTORY_PATH = '/historyOrders'
/** Charges per page; the ledger is below. */
const CHARGES = 3

/** The wallet: total value, the accounts, transfers and exchanges, and the ledger. */
export default function MyWallet() {
  const { t } = useTranslation()
  const demo = useIsDemo()
  const exchanges = useSwitch('exchange.enabled')
  const money = useMoney()
  const wallet = useWallet()
  const asked = useStatisticsQuery()
  const pushed = useAccount((state) => state.statistics)
  const [search, setSearch] = useSearchParams()
  const toTrade = search.get('transfer') === 'trade'
  const [sheet, setSheet] = useState<'transfer' | 'exchange' | null>(toTrade ? 'transfer' : null)
  const [cause, setCause] = useState<Cause | null>(null)
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
              title={t(demo ? 'wallet.equity' : 'wallet.total')}
              equity={demo ? statistics?.netValue : total}
              below={
                !demo &&
                wallet.data &&
                total !== undefined && (
                  <TotalIn
                    total={total}
                    totals={wallet.data.totals}
                    complete={wallet.data.complete}
                  />
                )
              }
              askedAt={asked.dataUpdatedAt}
              depositPath={depositPath}
              withdrawPath={withdrawPath}
            />
            <AccountCard
              demo={demo}
              money={money.data}
              statistics={statistics}
              available={accounts?.find(({ kind }) => kind === 'contract')?.available}
              withdrawalsPath={withdrawPath && WITHDRAWALS_PATH}
            />
            {!demo && (
              <FundingCard
                accounts={accounts}
                onTransfer={() => setSheet('transfer')}
                onExchange={exchanges ? () => setSheet('exchange') : undefined}
              />
            )}
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
          accounts={accounts ?? []}
          pathOf={causePath}
          onOpen={setCause}
          firstStep={depositPath && <Button to={depositPath}>{t('wallet.deposit')}</Button>}
        />
      </div>
      {sheet === 'transfer' && !demo && accounts && (
        <TransferSheet
          accounts={accounts}
          way={toTrade ? 'trade' : 'keep'}
          onClose={() => {
            setSheet(null)
            if (toTrade) setSearch({}, { replace: true })
          }}
        />
      )}
      {sheet === 'exchange' && accounts && (
        <ExchangeSheet accounts={accounts} onClose={() => setSheet(null)} />
      )}
      {(cause?.of === 'transfer' || cause?.of === 'exchange') && (
        <CauseSheet of={cause.of} id={cause.id} onClose={() => setCause(null)} />
      )}
    </Page>
  )
}

/** The page that shows a cause. Causes with a receipt or a sheet of their own open there instead. */
function causePath({ of, id }: Cause): string | undefined {
  if (of === 'order') return hasRoute(HISTORY_PATH) ? HISTORY_PATH : undefined
  if (of !== 'deposit' && of !== 'withdrawal') return undefined
  const path = of === 'deposit' ? DEPOSIT_PATH : WITHDRAW_PATH
  return hasRoute(path) ? `${path}?id=${id}` : undefined
}
