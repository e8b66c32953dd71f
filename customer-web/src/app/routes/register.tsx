import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, Navigate, useLocation, useNavigate } from 'react-router'
import { RegisterForm } from '@/features/account/components/register-form'
import { WalletWay } from '@/features/account/components/wallet-way'
import { useEnterSession } from '@/features/account/model/enter-session'
import { useSwitch } from '@/features/switches/api/front-config'
import { LOGIN_PATH } from '@/session/login-path'
import { useIsGuest, useSession } from '@/session/session-store'
import { toast } from '@/ui/toast/toast-store'
import { useTradePath } from '../nav/trade-link'
import { AccessPage } from '../parts/access-page'
import styles from '../parts/access-page.module.css'
import TryDemo from '../parts/try-demo'
import { WalletLogin } from '../parts/wallet-login'
import { HOME_PATH, hasRoute, returnPath } from '../routes'

const TERMS_PATH = '/relevant'
const FORGOT_PATH = '/forgetPwd'

/** The invitation code in the address, inside the hash or before it. */
function invitationIn(search: string): string {
  const inHash = new URLSearchParams(search).get('invite')
  return (inHash ?? new URLSearchParams(window.location.search).get('invite') ?? '').slice(0, 32)
}

/** The registration page, also for guests with a demo account. */
export default function Register() {
  const { t } = useTranslation()
  const { search } = useLocation()
  const navigate = useNavigate()
  const tradePath = useTradePath()
  const loggedIn = useSession(({ token }) => token !== null)
  const guest = useIsGuest()
  const enter = useEnterSession()
  const [wallet, setWallet] = useState(false)
  const on = useSwitch('web3_login.enabled')
  const termsPath = hasRoute(TERMS_PATH) ? TERMS_PATH : undefined
  if (loggedIn && !guest) return <Navigate to={HOME_PATH} replace />
  return (
    <AccessPage
      title={t('register.title')}
      below={
        <>
          <TryDemo
            className={styles.demo}
            onDone={() => void navigate(returnPath(search, tradePath))}
          />
          <p className={styles.other}>
            {t('register.known_here')} <Link to={LOGIN_PATH + search}>{t('register.log_in')}</Link>
          </p>
        </>
      }
    >
      {wallet && on ? (
        <WalletWay
          Login={WalletLogin}
          invitation={invitationIn(search)}
          termsPath={termsPath}
          onWay={(way) => setWallet(way === 'wallet')}
          onDone={enter}
          onLogin={() => void navigate(LOGIN_PATH + search)}
        />
      ) : (
        <RegisterForm
          invitation={invitationIn(search)}
          termsPath={termsPath}
          loginPath={LOGIN_PATH + search}
          forgotPath={FORGOT_PATH + search}
          onWallet={() => setWallet(true)}
          onDone={(session) => {
            enter(session)
            toast.success(t('register.done'))
          }}
        />
      )}
    </AccessPage>
  )
}
