import { LoginForm } from '@/features/session/components/login-form'
import { useEnterSession } from '@/features/session/model/enter-session'
import type { RoutePanelProps } from '../routes'
import styles from './access-page.module.css'
import TryDemo from './try-demo'

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
