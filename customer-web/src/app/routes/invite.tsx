import { useTranslation } from 'react-i18next'
import { useInvitation } from '@/features/invitation/api/invitation'
import styles from '@/features/invitation/components/invitation.module.css'
import { InvitationCard } from '@/features/invitation/components/invitation-card'
import { Invitees } from '@/features/invitation/components/invitees'
import { RebatePayments } from '@/features/invitation/components/rebate-payments'
import { Closing } from '@/features/restriction/components/closing'
import { useClosesAt } from '@/session/info-query'
import { useIsGuest } from '@/session/session-store'
import { GuardedPage } from '../parts/guarded-page'
import { MockPaymentPasswordNotice } from '../parts/mock-payment-password-notice'
import { Page } from '../parts/page'

/** Inviting others: the link, its terms, who came by it, and what was paid. */
export default function Invite() {
  const { t } = useTranslation()
  const guest = useIsGuest()
  return <Page title={t('invite.title')}>{guest ? <MockPaymentPasswordNotice /> : <Mine />}</Page>
}

function Mine() {
  const invitation = useInvitation()
  const closing = useClosesAt() !== undefined
  return (
    <GuardedPage query={invitation}>
      {(data) => (
        <div className={styles.flow}>
          {closing ? (
            <Closing />
          ) : (
            <InvitationCard
              invitation={data}
              link={`${window.location.origin}/#/register?invite=${data.code}`}
            />
          )}
          <Invitees />
          <RebatePayments />
        </div>
      )}
    </GuardedPage>
  )
}
