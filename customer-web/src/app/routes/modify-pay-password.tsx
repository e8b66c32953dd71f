import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { reasonOf } from '@/api/reason'
import { type Security, useSecurity } from '@/features/security/api/security'
import { LockedBlock } from '@/features/security/components/locked-block'
import { PaymentPasswordForm } from '@/features/security/components/payment-password-form'
import styles from '@/features/security/components/security.module.css'
import type { PaymentPasswordAct } from '@/features/security/model/use-payment-password'
import { useIsDemo } from '@/session/session-store'
import { Button } from '@/ui/button'
import { ErrorBlock } from '@/ui/error-block'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { toast } from '@/ui/toast/toast-store'
import accessStyles from '../parts/access-page.module.css'
import { ContactFirst } from '../parts/contact-first'
import { MockPaymentPasswordNotice } from '../parts/mock-payment-password-notice'
import { Page } from '../parts/page'

const SECURITY_PATH = '/securitySet'

/** The payment password: set it, change it, or replace a forgotten one. */
export default function ModifyPayPassword() {
  const { t } = useTranslation()
  const demo = useIsDemo()
  if (!demo)
    return (
      <ContactFirst title={t('security.payment')}>
        <NewPaymentPassword />
      </ContactFirst>
    )
  return (
    <Page title={t('security.payment')}>
      <MockPaymentPasswordNotice />
    </Page>
  )
}

function NewPaymentPassword() {
  const { t } = useTranslation()
  const { data, error, isFetching, refetch } = useSecurity()
  const [forgotten, setForgotten] = useState(false)
  // The page keeps its mode once it is done.
  const [done, setDone] = useState(false)
  const [known, setKnown] = useState(data)
  if (!done && data !== known) setKnown(data)
  const act = !known?.payPasswordSet ? 'first' : forgotten ? 'forgotten' : 'change'
  return (
    <div className={accessStyles.column}>
      <Page title={t(known ? `payment_password.${act}.title` : 'security.payment')}>
        <div className={accessStyles.card}>
          {known ? (
            <Act
              key={act}
              act={act}
              security={known}
              onOther={() => setForgotten(!forgotten)}
              onDone={() => setDone(true)}
            />
          ) : error ? (
            <ErrorBlock
              {...reasonOf(error)}
              reassurance={t('security.reassurance')}
              onRetry={() => void refetch()}
              retrying={isFetching}
            />
          ) : (
            <SkeletonRows rows={4} rowHeight={60} />
          )}
        </div>
      </Page>
    </div>
  )
}

type ActProps = {
  act: PaymentPasswordAct
  security: Security
  /** Toggles between changing the password and replacing a forgotten one. */
  onOther: () => void
  onDone: () => void
}

function Act({ act, security, onOther, onDone }: ActProps) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const lockedUntil = act === 'change' ? security.payPasswordLockedUntil : undefined

  const done = () => {
    onDone()
    toast.success(t(`payment_password.${act}.done`))
    void navigate(SECURITY_PATH, { replace: true })
  }

  return (
    <>
      {lockedUntil === undefined ? (
        <PaymentPasswordForm act={act} security={security} onDone={done} />
      ) : (
        <LockedBlock until={lockedUntil} />
      )}
      {act !== 'first' && (
        <div className={styles.other}>
          <Button variant="text" onClick={onOther}>
            {act === 'change' ? t('payment_password.forgot') : t('payment_password.known')}
          </Button>
        </div>
      )}
    </>
  )
}
