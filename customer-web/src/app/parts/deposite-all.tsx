import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { useRecentDeposits } from '@/features/deposit/api/deposits'
import { DepositHistory } from '@/features/deposit/components/deposit-history'
import { NewDeposit } from '@/features/deposit/components/new-deposit'
import styles from '@/ui/block.module.css'
import { TabGroup } from '@/ui/tab-group'
import { Tag } from '@/ui/tag'
import { depositPath, depositPaths, newDepositPath } from '../nav/deposite-paths'
import { MainAccountNote } from './main-account-note'
import { Page } from './page'
import { useCreditToast } from './use-credit-toast'

const tabs = ['new', 'history'] as const

/** The deposit start page with the history below. */
export function DepositeAll() {
  const { t } = useTranslation()
  const [search, setSearch] = useSearchParams()
  const panelId = useId()
  const recent = useRecentDeposits().data?.list
  useCreditToast(recent)
  const history = search.get('tab') === 'history'

  return (
    <Page title={t('deposit.title')} aside={<Tag>{t('deposit.real')}</Tag>}>
      <TabGroup
        type="line"
        className={styles.tabs}
        label={t('deposit.tab.label')}
        panelId={panelId}
        active={history ? 1 : 0}
        list={tabs.map((tab) => ({ title: t(`deposit.tab.${tab}`) }))}
        onChange={(index) =>
          setSearch(tabs[index] === 'history' ? { tab: 'history' } : {}, { replace: true })
        }
      />
      <div id={panelId} role="tabpanel" className={styles.flow} aria-label={t('deposit.tab.label')}>
        {history ? (
          <DepositHistory pathOf={depositPath} newPath={newDepositPath} />
        ) : (
          <>
            <MainAccountNote way="deposit" />
            <NewDeposit pathOf={depositPath} verifyPath={depositPaths().verify} />
          </>
        )}
      </div>
    </Page>
  )
}
