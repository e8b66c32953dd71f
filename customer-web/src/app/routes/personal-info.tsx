import { useTranslation } from 'react-i18next'
import { usePhoneSupported } from '@/features/account/model/use-phone-supported'
import { type PersonalInfo, usePersonalInfo } from '@/features/personal/api/personal'
import { CloseAccountCard } from '@/features/personal/components/close-account-card'
import { DataExportCard } from '@/features/personal/components/data-export-card'
import { MarketingCard } from '@/features/personal/components/marketing-card'
import styles from '@/features/personal/components/personal.module.css'
import { PersonalFacts } from '@/features/personal/components/personal-facts'
import { ProfileCard } from '@/features/personal/components/profile-card'
import { zoneName } from '@/format/zone'
import { useIsGuest } from '@/session/session-store'
import { useTimeStyle } from '@/ui/time-text'
import { GuardedPage } from '../parts/guarded-page'
import { MockPaymentPasswordNotice } from '../parts/mock-payment-password-notice'
import { Page } from '../parts/page'

/** What is known of the trader, a copy of their data, and the end of the account. */
export default function PersonalInfoPage() {
  const { t } = useTranslation()
  const guest = useIsGuest()
  return (
    <Page title={t('personal.title')}>{guest ? <MockPaymentPasswordNotice /> : <Personal />}</Page>
  )
}

function Personal() {
  const info = usePersonalInfo()
  return <GuardedPage query={info}>{(data) => <Cards info={data} />}</GuardedPage>
}

function Cards({ info }: { info: PersonalInfo }) {
  const { timeZone, tag } = useTimeStyle()
  const phoneOffered = usePhoneSupported()
  const closing = info.closesAt !== undefined
  return (
    <div className={styles.flow}>
      {closing && <CloseAccountCard info={info} />}
      <ProfileCard info={info} editable={!closing} />
      <PersonalFacts
        info={info}
        language={tag}
        zone={timeZone === 'utc' ? 'UTC' : zoneName(timeZone).replaceAll('_', ' ')}
        phoneOffered={phoneOffered}
      />
      {!closing && <MarketingCard info={info} />}
      <DataExportCard info={info} />
      {!closing && <CloseAccountCard info={info} />}
    </div>
  )
}
