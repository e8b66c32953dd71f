import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/ui/button'
import { Icon } from '@/ui/icons/icon'
import styles from './error-screen.module.css'
import { isStaleBuild, reloadOnce } from './stale-build'

export type ErrorScreenProps = { cause: unknown }

/**
 * Replaces a screen that crashed. If the cause is a missing file of an older build, the page reloads once by
 * itself.
 */
export function ErrorScreen({ cause }: ErrorScreenProps) {
  const { t } = useTranslation()
  const stale = isStaleBuild(cause)

  useEffect(() => {
    if (stale) reloadOnce()
  }, [stale])

  return (
    <main className={styles.screen} role="alert">
      <Icon name={stale ? 'refresh' : 'warn'} size={28} className={styles.icon} />
      <h1>{stale ? t('error.screen.updated') : t('error.screen.title')}</h1>
      <p>{stale ? t('error.screen.updated_hint') : t('error.screen.hint')}</p>
      <Button variant="primary" size="large" onClick={() => window.location.reload()}>
        {t('error.screen.reload')}
      </Button>
    </main>
  )
}
