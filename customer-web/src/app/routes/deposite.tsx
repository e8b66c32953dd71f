import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { MockNotice } from '@/features/deposit/components/mock-notice'
import { Closing } from '@/features/restriction/components/closing'
import { useClosesAt } from '@/session/info-query'
import { useIsDemo, useIsGuest } from '@/session/session-store'
import styles from '@/ui/block.module.css'
import { depositIdIn, depositPaths } from '../nav/deposite-paths'
import { ContactFirst } from '../parts/contact-first'
import { DepositeAll } from '../parts/deposite-all'
import { DepositeOne } from '../parts/deposite-one'
import { Page } from '../parts/page'

/** Deposits: a new one, a single one, or the history. Mock accounts see why they can't deposit. */
export default function Deposite() {
  const { t } = useTranslation()
  const demo = useIsDemo()
  const guest = useIsGuest()
  const closing = useClosesAt() !== undefined
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
  if (id !== null) return <DepositeOne key={id} id={id} />
  if (closing) {
    return (
      <Page title={t('deposit.title')}>
        <div className={styles.flow}>
          <Closing />
        </div>
      </Page>
    )
  }
  return (
    <ContactFirst title={t('deposit.title')}>
      <DepositeAll />
    </ContactFirst>
  )
}
