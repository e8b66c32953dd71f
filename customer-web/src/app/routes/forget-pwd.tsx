import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, Navigate, useLocation, useNavigate } from 'react-router'
import { ForgottenPasswordForm } from '@/features/account/components/forgotten-password-form'
import { PasswordReplaced } from '@/features/account/components/password-replaced'
import { type Contact, type ContactState, contactIn } from '@/features/account/model/contact'
import { LOGIN_PATH } from '@/session/login-path'
import { useIsGuest, useSession } from '@/session/session-store'
import { AccessPage } from '../parts/access-page'
import styles from '../parts/access-page.module.css'
import { HOME_PATH } from '../routes'

/** Replaces a forgotten password, then goes to the log-in with the contact filled in and the return path kept. */
export default function ForgetPwd() {
  const { t } = useTranslation()
  const { search, state } = useLocation()
  const navigate = useNavigate()
  const loggedIn = useSession(({ token }) => token !== null)
  const guest = useIsGuest()
  const [replacedOf, setReplacedOf] = useState<Contact | null>(null)
  if (loggedIn && !guest) return <Navigate to={HOME_PATH} replace />

  const logInAs = (contact: Contact) =>
    void navigate(LOGIN_PATH + search, { replace: true, state: { contact } satisfies ContactState })
  return (
    <AccessPage
      title={t('forgot_password.title')}
      below={
        !replacedOf && (
          <p className={styles.other}>
            {t('forgot_password.known_here')}{' '}
            <Link to={LOGIN_PATH + search}>{t('register.log_in')}</Link>
          </p>
        )
      }
    >
      {replacedOf ? (
        <PasswordReplaced onLogIn={() => logInAs(replacedOf)} />
      ) : (
        <ForgottenPasswordForm contact={contactIn(state)} onDone={setReplacedOf} />
      )}
    </AccessPage>
  )
}
