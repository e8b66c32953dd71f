import { useTranslation } from 'react-i18next'
import { Button } from '@/ui/button'
import { EmptyState } from '@/ui/empty-state'
import styles from './deposit.module.css'

export type MockNoticeProps = {
  /** Where accounts are changed, if there is such a screen. */
  switchPath?: string | undefined
  /** Where a guest registers, if there is such a screen; a guest has no account to change to. */
  registerPath?: string | undefined
  guest: boolean
  /** Why, where it is not about paying in. */
  text?: string
}

/** Why nothing can be paid into a mock account, or out of it, and the way to the real one. */
export function MockNotice({ switchPath, registerPath, guest, text }: MockNoticeProps) {
  const { t } = useTranslation()
  const path = guest ? registerPath : switchPath
  return (
    <section className={styles.block}>
      <EmptyState
        icon="info"
        text={guest ? t('error.guest.register') : (text ?? t('deposit.mock.text'))}
        action={
          path && (
            <Button variant="primary" to={path}>
              {guest ? t('shell.sign_up') : t('deposit.mock.switch')}
            </Button>
          )
        }
      />
    </section>
  )
}
