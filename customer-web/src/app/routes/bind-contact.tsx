import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import type { Contact } from '@/features/account/model/contact'
import { usePhoneSupported } from '@/features/account/model/use-phone-supported'
import { FirstContactForm } from '@/features/ethereum/components/first-contact-form'
import { type Security, securityQuery, useSecurity } from '@/features/security/api/security'
import { ContactChanged } from '@/features/security/components/contact-changed'
import { ContactForm } from '@/features/security/components/contact-form'
import { useConfigPending } from '@/features/switches/api/front-config'
import { useIsGuest } from '@/session/session-store'
import { Note } from '@/ui/note'
import accessStyles from '../parts/access-page.module.css'
import { GuardedPage } from '../parts/guarded-page'
import { MockPaymentPasswordNotice } from '../parts/mock-payment-password-notice'
import { Page } from '../parts/page'

/** Binds an e-mail address or telephone, or replaces the one that is bound: one kind per page. */
export default function BindContact() {
  const { t } = useTranslation()
  const guest = useIsGuest()
  const [search] = useSearchParams()
  const security = useSecurity()
  const kind = search.get('kind') === 'phone' ? 'phone' : 'mail'
  if (guest)
    return (
      <Page title={t(`contact.title.${kind}`)}>
        <MockPaymentPasswordNotice />
      </Page>
    )
  const unset = security.data && !security.data[kind]
  return (
    <div className={accessStyles.column}>
      <Page title={unset ? t(`contact.add.${kind}`) : t(`contact.title.${kind}`)}>
        <div className={accessStyles.card}>
          <GuardedPage query={security}>
            {(data) => <BindOne key={kind} kind={kind} security={data} />}
          </GuardedPage>
        </div>
      </Page>
    </div>
  )
}

function BindOne({ kind, security }: { kind: Contact['kind']; security: Security }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const phoneOffered = usePhoneSupported()
  const pending = useConfigPending()
  const [done, setDone] = useState<Security | null>(null)
  if (done) return <ContactChanged kind={kind} security={done} backPath="/securitySet" />
  if (kind === 'phone' && !phoneOffered && !pending)
    return <Note>{t('error.contact.phone_not_offered')}</Note>
  const changed = (now: Security) => {
    client.setQueryData(securityQuery.queryKey, now)
    setDone(now)
  }
  if (security.mail === '' && security.phone === '')
    return <FirstContactForm kind={kind} wallet={security.wallet} onDone={changed} />
  return <ContactForm kind={kind} security={security} supportPath="/kefu" onDone={changed} />
}
