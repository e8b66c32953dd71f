import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { usePhoneSupported } from '@/features/account/model/use-phone-supported'
import { WalletSheets } from '@/features/ethereum/components/wallet-sheets'
import { useAddressBook } from '@/features/payee/api/payees'
import { Restrictions } from '@/features/restriction/components/restrictions'
import { securityQuery, useSecurity } from '@/features/security/api/security'
import { FreezeSheet } from '@/features/security/components/freeze-sheet'
import { PhraseSheet } from '@/features/security/components/phrase-sheet'
import { SecurityList } from '@/features/security/components/security-list'
import { useSwitch } from '@/features/switches/api/front-config'
import { clearSession, useIsDemo, useIsGuest } from '@/session/session-store'
import { toast } from '@/ui/toast/toast-store'
import { GuardedPage } from '../parts/guarded-page'
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
  const whitelist = useWhitelist()
  const [freezing, setFreezing] = useState(false)
  const [phrasing, setPhrasing] = useState(false)
  const [linking, setLinking] = useState(false)
  const wallets = useSwitch('web3_login.enabled')
  const phoneOffered = usePhoneSupported()
  const frozen = () => {
    clearSession()
    client.clear()
    toast.success(t('security.freeze.done'))
    void navigate('/login', { replace: true })
  }
  const security = useSecurity()
  return (
    <GuardedPage query={security}>
      {(data) => (
        <>
          <Restrictions />
          <SecurityList
            security={data}
            paymentPath={PAYMENT_PATH}
            whitelist={whitelist}
            phoneOffered={phoneOffered}
            onPhrase={() => setPhrasing(true)}
            onWallet={wallets || data.wallet ? () => setLinking(true) : undefined}
            onFreeze={() => setFreezing(true)}
          />
          {phrasing && (
            <PhraseSheet
              set={data.phraseSet}
              onDone={(now) => {
                client.setQueryData(securityQuery.queryKey, now)
                setPhrasing(false)
                toast.success(now.phraseSet ? t('phrase.done') : t('phrase.removed'))
              }}
              onClose={() => setPhrasing(false)}
            />
          )}
          {linking && (
            <WalletSheets
              wallet={data.wallet}
              onDone={(now) => {
                client.setQueryData(securityQuery.queryKey, now)
                setLinking(false)
                toast.success(now.wallet ? t('ethereum.link.done') : t('ethereum.unlink.done'))
              }}
              onClose={() => setLinking(false)}
            />
          )}
          {freezing && <FreezeSheet onDone={frozen} onClose={() => setFreezing(false)} />}
        </>
      )}
    </GuardedPage>
  )
}
