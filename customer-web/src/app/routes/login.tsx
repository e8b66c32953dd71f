import { useTranslation } from 'react-i18next'
import { Link, Navigate, useLocation, useNavigate } from 'react-router'
import { LoginForm } from '@/features/session/components/login-form'
import { contactIn } from '@/features/session/model/contact'
import { useEnterSession } from '@/features/session/model/enter-session'
import { useIsGuest, useSession } from '@/features/session/model/session-store'
import { hasRoute, returnPath } from '../routes'
import { AccessPage } from './access-page'
import styles from './access-page.module.css'
import { useTradePath } from './trade-link'
import TryDemo from './try-demo'

const REGISTER_PATH = '/register'
const FORGOT_PATH = '/forgetPwd'

/** The log-in page, also for guests with a demo account; returns to the page the trader came from. */
export default function Login() {
  const { t } = useTranslation()
  const { search, state } = useLocation()
  const navigate = useNavigate()
  const tradePath = useTradePath()
  const loggedIn = useSession(({ token }) => token !== null)
  const guest = useIsGuest()
  const enter = useEnterSession()
  if (loggedIn && !guest) return <Navigate to={returnPath(search)} replace />
  return (
    <AccessPage
      title={t('login.title')}
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
      <LoginForm contact={contactIn(state)} forgotPath={FORGOT_PATH + search} onDone={enter} />
    </AccessPage>
  )
}
