import { LoginForm } from '@/features/account/components/login-form'
import { useEnterSession } from '@/features/account/model/enter-session'
import styles from '../parts/access-page.module.css'
import TryDemo from '../parts/try-demo'
import type { RoutePanelProps } from '../routes'

/** The log-in as a dialog over the page, which keeps its state. */
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
