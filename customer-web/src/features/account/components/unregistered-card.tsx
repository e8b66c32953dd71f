import { useTranslation } from 'react-i18next'
import { Button } from '@/ui/button'
import styles from './account-card.module.css'

export type UnregisteredCardProps = {
  /** The registration path, if that screen exists. */
  registerPath: string | undefined
}

/** Shown to guests in place of a real account: what registration offers, with a link. */
export function UnregisteredCard({ registerPath }: UnregisteredCardProps) {
  const { t } = useTranslation()
  const name = t('session.type.real')
  return (
    <section className={styles.card} aria-label={name}>
      <div className={styles.head}>
        <h2>{name}</h2>
      </div>
      <p className={styles.about}>{t('switch_account.guest.about')}</p>
      {registerPath && (
        <div className={styles.actions}>
          <Button variant="primary" to={registerPath}>
            {t('shell.sign_up')}
          </Button>
        </div>
      )}
    </section>
  )
}
