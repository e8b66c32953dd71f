import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/ui/button'
import { Icon } from '@/ui/icons/icon'
import styles from './error-screen.module.css'
import { canReload, isStaleBuild, reloadOnce } from './stale-build'

export type ErrorScreenProps = { cause: unknown }

/**
 * Replaces a screen that crashed. If the cause is a missing file, the page reloads once by itself: at once if the
 * server can be reached, because the file was an older build's, else when the network is back.
 */
export function ErrorScreen({ cause }: ErrorScreenProps) {
  const { t } = useTranslation()
  const stale = isStaleBuild(cause)

  const [offline, setOffline] = useState(false)

  useEffect(() => {
    if (!stale) return
    const reload = () =>
      canReload().then((can) => {
        setOffline(!can)
        if (can) reloadOnce()
      })
    void reload()
    window.addEventListener('online', reload)
    return () => window.removeEventListener('online', reload)
  }, [stale])

  if (offline) {
    return (
      <main className={styles.screen} role="alert">
        <Icon name="warn" size={28} className={styles.icon} />
        <h1>{t('error.screen.offline')}</h1>
        <p>{t('error.screen.offline_hint')}</p>
      </main>
    )
  }
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
