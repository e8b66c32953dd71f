import { useTranslation } from 'react-i18next'
import styles from '@/features/security/components/security.module.css'
import { useIsGuest } from '@/session/session-store'
import { Button } from '@/ui/button'
import { EmptyState } from '@/ui/empty-state'
import { hasRoute } from '../routes'

/** Explains why a mock account has no payment password, and links to the real account. */
export function MockPaymentPasswordNotice() {
  const { t } = useTranslation()
  const guest = useIsGuest()
  const path = guest ? '/register' : '/switchAccount'
  return (
    <div className={styles.flow}>
      <section className={styles.block}>
        <EmptyState
          icon="info"
          text={guest ? t('error.guest.register') : t('security.mock')}
          action={
            hasRoute(path) && (
              <Button variant="primary" to={path}>
                {guest ? t('shell.sign_up') : t('security.mock.switch')}
              </Button>
            )
          }
        />
      </section>
    </div>
  )
}
