import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { MockNotice } from '@/features/deposit/components/mock-notice'
import styles from '@/features/withdraw/components/withdraw.module.css'
import { useIsDemo, useIsGuest } from '@/session/session-store'
import { withdrawalIdIn, withdrawalPaths } from '../nav/withdraw-paths'
import { ContactFirst } from '../parts/contact-first'
import { Page } from '../parts/page'
import { WithdrawAccount } from '../parts/withdraw-account'
import { WithdrawAll } from '../parts/withdraw-all'
import { WithdrawOne } from '../parts/withdraw-one'

/** Withdrawals: a single one, the history, or a new bank account. Mock accounts see why they can't withdraw. */
export default function Withdraw() {
  const { t } = useTranslation()
  const demo = useIsDemo()
  const guest = useIsGuest()
  const [search] = useSearchParams()
  const id = withdrawalIdIn(search)
  if (demo) {
    return (
      <Page title={t('withdraw.title')}>
        <div className={styles.flow}>
          <MockNotice
            guest={guest}
            text={t('withdraw.mock')}
            switchPath={withdrawalPaths().switchAccount}
            registerPath={withdrawalPaths().register}
          />
        </div>
      </Page>
    )
  }
  if (id !== null) return <WithdrawOne key={id} id={id} />
  return (
    <ContactFirst title={t('withdraw.title')}>
      {search.get('step') === 'account' ? <WithdrawAccount /> : <WithdrawAll />}
    </ContactFirst>
  )
}
