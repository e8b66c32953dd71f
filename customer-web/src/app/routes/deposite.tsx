import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import styles from '@/features/deposit/components/deposit.module.css'
import { MockNotice } from '@/features/deposit/components/mock-notice'
import { useIsDemo, useIsGuest } from '@/features/session/model/session-store'
import { Page } from '../shell/page'
import { DepositeAll } from './deposite-all'
import { DepositeOne } from './deposite-one'
import { depositIdIn, depositPaths } from './deposite-paths'

/** Deposits: a new one, a single one, or the history. Mock accounts see why they can't deposit. */
export default function Deposite() {
  const { t } = useTranslation()
  const demo = useIsDemo()
  const guest = useIsGuest()
  const [search] = useSearchParams()
  const id = depositIdIn(search)
  if (demo) {
    return (
      <Page title={t('deposit.title')}>
        <div className={styles.flow}>
          <MockNotice
            guest={guest}
            switchPath={depositPaths().switchAccount}
            registerPath={depositPaths().register}
          />
        </div>
      </Page>
    )
  }
  return id === null ? <DepositeAll /> : <DepositeOne key={id} id={id} />
}
