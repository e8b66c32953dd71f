import { useTranslation } from 'react-i18next'
import styles from '@/features/payee/components/payee.module.css'
import { useIsGuest } from '@/session/session-store'
import { Button } from '@/ui/button'
import { EmptyState } from '@/ui/empty-state'
import { hasRoute } from '../routes'

/** Explains why a mock account has no withdrawal addresses, and links to the real account. */
export function MockAddressesNotice() {
  const { t } = useTranslation()
  const guest = useIsGuest()
  const path = guest ? '/register' : '/switchAccount'
  return (
    <section className={styles.block}>
      <EmptyState
        icon="info"
        text={guest ? t('error.guest.register') : t('payee.mock')}
        action={
          hasRoute(path) && (
            <Button variant="primary" to={path}>
              {guest ? t('shell.sign_up') : t('deposit.mock.switch')}
            </Button>
          )
        }
      />
    </section>
  )
}
