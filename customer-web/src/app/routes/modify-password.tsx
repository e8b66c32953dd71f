import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { securityQuery } from '@/features/security/api/security'
import { PasswordForm } from '@/features/security/components/password-form'
import { useIsGuest } from '@/session/session-store'
import { toast } from '@/ui/toast/toast-store'
import accessStyles from '../parts/access-page.module.css'
import { ContactFirst } from '../parts/contact-first'
import { MockPaymentPasswordNotice } from '../parts/mock-payment-password-notice'
import { Page } from '../parts/page'

/** Replaces the log-in password with the current one. */
export default function ModifyPassword() {
  const { t } = useTranslation()
  const guest = useIsGuest()
  const navigate = useNavigate()
  const client = useQueryClient()
  if (guest)
    return (
      <Page title={t('password.title')}>
        <MockPaymentPasswordNotice />
      </Page>
    )
  const done = () => {
    toast.success(t('password.done'))
    void client.invalidateQueries({ queryKey: securityQuery.queryKey })
    void navigate('/securitySet', { replace: true })
  }
  return (
    <div className={accessStyles.column}>
      <Page title={t('password.title')}>
        <ContactFirst>
          <div className={accessStyles.card}>
            <PasswordForm onDone={done} />
          </div>
        </ContactFirst>
      </Page>
    </div>
  )
}
