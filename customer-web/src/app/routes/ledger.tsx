import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { ChargeList } from '@/features/trading/components/positions/charge-list'
import { useMoneyEvents } from '@/features/wallet/api/money'
import { useWallet } from '@/features/wallet/api/wallet'
import { LedgerList } from '@/features/wallet/components/ledger-list'
import styles from '@/features/wallet/components/wallet.module.css'
import { useIsDemo } from '@/session/session-store'
import block from '@/ui/block.module.css'
import { Button } from '@/ui/button'
import { TabGroup } from '@/ui/tab-group'
import { causePath } from '../nav/ledger-paths'
import { Page } from '../parts/page'
import { hasRoute } from '../routes'

const LISTS = ['movements', 'charges'] as const
const DEPOSIT_PATH = '/deposite'

/** All movements of an account, or its swaps and dividends. */
export default function Ledger() {
  const { t } = useTranslation()
  const demo = useIsDemo()
  const panelId = useId()
  const [search, setSearch] = useSearchParams()
  const accounts = useWallet().data?.accounts ?? []
  useMoneyEvents()
  const charges = search.get('list') === 'charges'
  const canDeposit = !demo && hasRoute(DEPOSIT_PATH)
  return (
    <Page title={t('ledger.title')} wide>
      <TabGroup
        type="line"
        className={block.tabs}
        label={t('ledger.title')}
        panelId={panelId}
        active={charges ? 1 : 0}
        list={LISTS.map((list) => ({
          title: t(list === 'charges' ? 'charges.heading' : 'ledger.title'),
        }))}
        onChange={(index) =>
          setSearch(LISTS[index] === 'charges' ? { list: 'charges' } : {}, { replace: true })
        }
      />
      <div id={panelId} role="tabpanel" className={styles.flow} aria-label={t('ledger.title')}>
        {charges ? (
          <section className={styles.block}>
            <ChargeList />
          </section>
        ) : (
          <LedgerList
            accounts={accounts}
            pathOf={causePath}
            firstStep={canDeposit && <Button to={DEPOSIT_PATH}>{t('wallet.deposit')}</Button>}
          />
        )}
      </div>
    </Page>
  )
}
