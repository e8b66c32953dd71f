import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router'
import { type Security, securityQuery, useSecurity } from '@/features/security/api/security'
import { ContactForm } from '@/features/security/components/contact-form'
import { FirstContactForm } from '@/features/security/components/first-contact-form'
import { useIsGuest } from '@/session/session-store'
import { toast } from '@/ui/toast/toast-store'
import accessStyles from '../parts/access-page.module.css'
import { GuardedPage } from '../parts/guarded-page'
import { MockPaymentPasswordNotice } from '../parts/mock-payment-password-notice'
import { Page } from '../parts/page'

/** Binds an e-mail address or telephone, or replaces the one that is bound. */
export default function BindContact() {
  const { t } = useTranslation()
  const guest = useIsGuest()
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const client = useQueryClient()
  const security = useSecurity()
  const done = (now: Security) => {
    client.setQueryData(securityQuery.queryKey, now)
    toast.success(t('contact.done'))
    void navigate('/securitySet', { replace: true })
  }
  const first = security.data?.mail === '' && security.data.phone === ''
  const kind = search.get('kind') === 'phone' ? 'phone' : 'mail'
  if (guest)
    return (
      <Page title={t(`contact.title.${kind}`)}>
        <MockPaymentPasswordNotice />
      </Page>
    )
  return (
    <div className={accessStyles.column}>
      <Page title={first ? t('contact.first.go') : t(`contact.title.${kind}`)}>
        <div className={accessStyles.card}>
          <GuardedPage query={security}>
            {(data) =>
              first ? (
                <FirstContactForm kind={kind} onDone={done} />
              ) : (
                <ContactForm kind={kind} security={data} supportPath="/kefu" onDone={done} />
              )
            }
          </GuardedPage>
        </div>
      </Page>
    </div>
  )
}
