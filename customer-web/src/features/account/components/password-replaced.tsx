import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/ui/button'
import styles from '@/ui/form/form.module.css'
import { Note } from '@/ui/note'
import { StatusHead } from '@/ui/status-head'

export type PasswordReplacedProps = { onLogIn: () => void }

/** The password was replaced: ended sessions, the withdrawal lock, and a link to the log-in. */
export function PasswordReplaced({ onLogIn }: PasswordReplacedProps) {
  const { t } = useTranslation()
  const message = useRef<HTMLDivElement>(null)
  // The focused button is gone with the form.
  useEffect(() => message.current?.focus(), [])
  return (
    <div className={styles.form}>
      <div ref={message} role="status" tabIndex={-1} className={styles.message}>
        <StatusHead tone="success" icon="check" title={t('forgot_password.done')}>
          {t('forgot_password.done.devices')}
        </StatusHead>
        <Note tone="warning">{t('forgot_password.done.hold')}</Note>
      </div>
      <Button variant="primary" size="large" block onClick={onLogIn}>
        {t('login.submit')}
      </Button>
    </div>
  )
}
