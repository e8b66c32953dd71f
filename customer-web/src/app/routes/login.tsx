import { useTranslation } from 'react-i18next'
import { Link, Navigate, useLocation } from 'react-router'
import { LoginForm } from '@/features/session/components/login-form'
import { useEnterSession } from '@/features/session/model/enter-session'
import { useSession } from '@/features/session/model/session-store'
import { hasRoute, returnPath } from '../routes'
import { AccessPage } from './access-page'
import styles from './access-page.module.css'

const REGISTER_PATH = '/register'

/** Logging in; afterwards back to where the trader came from. */
export default function Login() {
  const { t } = useTranslation()
  const { search } = useLocation()
  const loggedIn = useSession(({ token }) => token !== null)
  const enter = useEnterSession()
  if (loggedIn) return <Navigate to={returnPath(search)} replace />
  return (
    <AccessPage
      title={t('login.title')}
      below={
        hasRoute(REGISTER_PATH) && (
          <p className={styles.other}>
            {t('login.new_here')} <Link to={REGISTER_PATH + search}>{t('login.sign_up')}</Link>
          </p>
        )
      }
    >
      <LoginForm onDone={enter} />
    </AccessPage>
  )
}
