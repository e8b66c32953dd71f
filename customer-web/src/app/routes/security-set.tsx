import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { reasonOf } from '@/api/reason'
import { useAddressBook } from '@/features/payee/api/payees'
import { Restrictions } from '@/features/restriction/components/restrictions'
import { useSecurity } from '@/features/security/api/security'
import { FreezeSheet } from '@/features/security/components/freeze-sheet'
import styles from '@/features/security/components/security.module.css'
import { SecurityList } from '@/features/security/components/security-list'
import { useSwitch } from '@/features/switches/api/front-config'
import { clearSession, useIsDemo, useIsGuest } from '@/session/session-store'
import { ErrorBlock } from '@/ui/error-block'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { toast } from '@/ui/toast/toast-store'
import { MockPaymentPasswordNotice } from '../parts/mock-payment-password-notice'
import { Page } from '../parts/page'

const PAYMENT_PATH = '/modifyPayPassword'
const ADDRESSES_PATH = '/addressManage'

/**
 * Account security: payment password, contact for codes, whitelist, last log-in, withdrawal lock, and account
 * freeze.
 */
export default function SecuritySet() {
  const { t } = useTranslation()
  const guest = useIsGuest()
  return (
    <Page title={t('security.title')}>{guest ? <MockPaymentPasswordNotice /> : <Guarded />}</Page>
  )
}

/** The whitelist state; undefined while saved addresses are switched off, and for mock accounts. */
function useWhitelist() {
  const on = useSwitch('address.enabled')
  const demo = useIsDemo()
  const { data } = useAddressBook(on && !demo)
  if (!data || !on || demo) return undefined
  const { whitelistOnly, whitelistEndsAt } = data
  const state = !whitelistOnly ? 'off' : whitelistEndsAt === undefined ? 'on' : 'ending'
  return { state, path: ADDRESSES_PATH } as const
}

function Guarded() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const client = useQueryClient()
  const demo = useIsDemo()
  const whitelist = useWhitelist()
  const [freezing, setFreezing] = useState(false)
  const frozen = () => {
    clearSession()
    client.clear()
    toast.success(t('security.freeze.done'))
    void navigate('/login', { replace: true })
  }
  const { data, error, isFetching, refetch } = useSecurity()
  if (data)
    return (
      <>
        <Restrictions />
        <SecurityList
          security={data}
          paymentPath={PAYMENT_PATH}
          whitelist={whitelist}
          onFreeze={demo ? undefined : () => setFreezing(true)}
        />
        {freezing && <FreezeSheet onDone={frozen} onClose={() => setFreezing(false)} />}
      </>
    )
  return (
    <div className={styles.flow}>
      <section className={styles.block}>
        {error ? (
          <ErrorBlock
            {...reasonOf(error)}
            reassurance={t('security.reassurance')}
            onRetry={() => void refetch()}
            retrying={isFetching}
          />
        ) : (
          <SkeletonRows rows={3} rowHeight={60} />
        )}
      </section>
    </div>
  )
}
