import { LoginForm } from '@/features/session/components/login-form'
import { useEnterSession } from '@/features/session/model/enter-session'
import type { RoutePanelProps } from '../routes'
import styles from './access-page.module.css'
import TryDemo from './try-demo'

/** Logging in over the page, which stays as it is. */
export default function LoginPanel({ onClose }: RoutePanelProps) {
  const enter = useEnterSession()
  return (
    <>
      <LoginForm
        onDone={(session) => {
          enter(session)
          onClose()
        }}
      />
      <TryDemo className={styles.demoInPanel} onDone={onClose} />
    </>
  )
}
