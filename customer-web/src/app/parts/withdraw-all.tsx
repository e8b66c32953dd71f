import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { NewWithdrawal } from '@/features/withdraw/components/new-withdrawal'
import own from '@/features/withdraw/components/withdraw.module.css'
import { WithdrawalHistory } from '@/features/withdraw/components/withdrawal-history'
import { useWithdrawalUpdates } from '@/features/withdraw/model/use-withdrawal-updates'
import styles from '@/ui/block.module.css'
import { cx } from '@/ui/cx'
import { TabGroup } from '@/ui/tab-group'
import { Tag } from '@/ui/tag'
import {
  addAddressPath,
  addBankPath,
  newWithdrawalPath,
  withdrawalPath,
  withdrawalPaths,
} from '../nav/withdraw-paths'
import { MainAccountNote } from './main-account-note'
import { Page } from './page'

const tabs = ['new', 'history'] as const

/** The withdrawal start page with the history below. */
export function WithdrawAll() {
  const { t } = useTranslation()
  const [search, setSearch] = useSearchParams()
  const panelId = useId()
  useWithdrawalUpdates()
  const history = search.get('tab') === 'history'

  return (
    <Page title={t('withdraw.title')} aside={<Tag>{t('deposit.real')}</Tag>} wide>
      <TabGroup
        type="line"
        className={styles.tabs}
        label={t('withdraw.tab.label')}
        panelId={panelId}
        active={history ? 1 : 0}
        list={tabs.map((tab) => ({ title: t(`withdraw.tab.${tab}`) }))}
        onChange={(index) =>
          setSearch(tabs[index] === 'history' ? { tab: 'history' } : {}, { replace: true })
        }
      />
      <div
        id={panelId}
        role="tabpanel"
        className={cx(styles.flow, own.wide)}
        aria-label={t('withdraw.tab.label')}
      >
        {history ? (
          <WithdrawalHistory pathOf={withdrawalPath} newPath={newWithdrawalPath} />
        ) : (
          <>
            <MainAccountNote way="withdraw" />
            <NewWithdrawal
              pathOf={withdrawalPath}
              addPath={addBankPath}
              addAddressPath={addAddressPath}
              paths={withdrawalPaths()}
            />
          </>
        )}
      </div>
    </Page>
  )
}
