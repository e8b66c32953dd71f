import { useTranslation } from 'react-i18next'
import { SecurityEvents } from '@/features/security/components/security-events'
import { useIsGuest } from '@/session/session-store'
import { MockPaymentPasswordNotice } from '../parts/mock-payment-password-notice'
import { Page } from '../parts/page'

/** What happened to what guards the account: log-ins, refused tries, changes. */
export default function SecurityEventsPage() {
  const { t } = useTranslation()
  const guest = useIsGuest()
  return (
    <Page title={t('security.events.title')}>
      {guest ? (
        <MockPaymentPasswordNotice />
      ) : (
        <SecurityEvents passwordPath="/modifyPassword" devicesPath="/deviceManagement" />
      )}
    </Page>
  )
}
