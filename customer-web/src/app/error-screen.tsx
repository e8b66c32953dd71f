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
    void reload(setOffline)
    const onOnline = () => void reload(setOffline)
    window.addEventListener('online', onOnline)
    return () => window.removeEventListener('online', onOnline)
  }, [stale])

  if (offline) {
    return (
      <main className={styles.screen} role="alert">
        <Icon name="warn" size={28} className={styles.icon} />
        <h1>{t('error.screen.offline')}</h1>
        <p>{t('error.screen.offline_hint')}</p>
        <Button variant="primary" size="large" onClick={() => void reload(setOffline)}>
          {t('ui.retry')}
        </Button>
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

/** Reloads the page if the server can be reached, else says that the app is offline. */
async function reload(setOffline: (offline: boolean) => void) {
  const can = await canReload()
  setOffline(!can)
  if (can) reloadOnce()
}
