import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { LoginForm } from '@/features/account/components/login-form'
import { useEnterSession } from '@/features/account/model/enter-session'
import { registerPathFrom } from '../nav/register-path'
import styles from '../parts/access-page.module.css'
import TryDemo from '../parts/try-demo'
import { WalletLogin } from '../parts/wallet-login'
import type { RoutePanelProps } from '../routes'

/** The log-in as a dialog over the page, which keeps its state. */
export default function LoginPanel({ onClose }: RoutePanelProps) {
  const { t } = useTranslation()
  const { pathname, search } = useLocation()
  const enter = useEnterSession()
  return (
    <>
      <LoginForm
        WalletLogin={WalletLogin}
        onDone={(session) => {
          enter(session)
          onClose()
        }}
      />
      <TryDemo className={styles.demoInPanel} onDone={onClose} />
      <p className={styles.other}>
        {t('login.new_here')}{' '}
        <Link to={registerPathFrom(pathname + search)} onClick={onClose}>
          {t('login.sign_up')}
        </Link>
      </p>
    </>
  )
}
