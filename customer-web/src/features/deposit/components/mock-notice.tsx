import { useTranslation } from 'react-i18next'
import styles from '@/ui/block.module.css'
import { Button } from '@/ui/button'
import { EmptyState } from '@/ui/empty-state'

export type MockNoticeProps = {
  /** The path of the account switcher, if that screen exists. */
  switchPath?: string | undefined
  /** The registration path, if that screen exists; guests have no account to switch to. */
  registerPath?: string | undefined
  guest: boolean
  /** The reason, if it is not about deposits. */
  text?: string
}

/** Explains why a mock account can't deposit or withdraw, and links to the real account. */
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
