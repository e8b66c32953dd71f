import { useTranslation } from 'react-i18next'
import { Link, Navigate, useLocation, useNavigate } from 'react-router'
import { LoginForm } from '@/features/account/components/login-form'
import { contactIn } from '@/features/account/model/contact'
import { useEnterSession } from '@/features/account/model/enter-session'
import { useIsGuest, useSession } from '@/session/session-store'
import { useTradePath } from '../nav/trade-link'
import { AccessPage } from '../parts/access-page'
import styles from '../parts/access-page.module.css'
import TryDemo from '../parts/try-demo'
import { useLoginReason } from '../parts/use-login-reason'
import { WalletLogin } from '../parts/wallet-login'
import { hasRoute, returnPath } from '../routes'

const REGISTER_PATH = '/register'
const FORGOT_PATH = '/forgetPwd'
const TERMS_PATH = '/relevant'

/** The log-in page, also for guests with a demo account; returns to the page the trader came from. */
export default function Login() {
  const { t } = useTranslation()
  const { search, state } = useLocation()
  const navigate = useNavigate()
  const tradePath = useTradePath()
  const loggedIn = useSession(({ token }) => token !== null)
  const guest = useIsGuest()
  const enter = useEnterSession()
  const reason = useLoginReason(search)
  if (loggedIn && !guest) return <Navigate to={returnPath(search)} replace />
  return (
    <AccessPage
      title={t('login.title')}
      reason={reason}
      below={
        <>
          <TryDemo
            className={styles.demo}
            onDone={() => void navigate(returnPath(search, tradePath))}
          />
          {hasRoute(REGISTER_PATH) && (
            <p className={styles.other}>
              {t('login.new_here')} <Link to={REGISTER_PATH + search}>{t('login.sign_up')}</Link>
            </p>
          )}
        </>
      }
    >
      <LoginForm
        WalletLogin={WalletLogin}
        contact={contactIn(state)}
        forgotPath={FORGOT_PATH + search}
        termsPath={hasRoute(TERMS_PATH) ? TERMS_PATH : undefined}
        onDone={enter}
      />
    </AccessPage>
  )
}
