import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '@/i18n/error-text'
import { checkPlatform, inMaintenance, usePlatformStatus } from '@/live/platform-status'
import { Button } from '@/ui/button'
import { Icon } from '@/ui/icons/icon'
import { Logo } from '@/ui/icons/logo'
import { TimeText } from '@/ui/time-text'
import styles from './offline-screen.module.css'
import { hasRoute } from './routes'

const CHAT_PATH = '/kefu'

/** Covers the app without a network or while the platform is stopped. */
export function OfflineScreen() {
  const { t } = useTranslation()
  const status = usePlatformStatus()
  const [checking, setChecking] = useState(false)
  if (status.kind === 'running') return null

  const stopped = t('error.platform.stopped')
  const check = async () => {
    setChecking(true)
    await checkPlatform()
    setChecking(false)
  }

  return (
    <div
      className={styles.screen}
      role="alertdialog"
      aria-modal="true"
      aria-labelledby="offline-title"
    >
      <Logo height={28} className={styles.logo} />
      <div className={styles.card}>
        <Icon
          name={status.kind === 'offline' ? 'warn' : 'clock'}
          size={28}
          className={styles.icon}
        />
        {status.kind === 'offline' ? (
          <>
            <h1 id="offline-title">{t('offline.title')}</h1>
            <p>{t('offline.try')}</p>
            <ul className={styles.hints}>
              <li>{t('offline.hint.cables')}</li>
              <li>{t('offline.hint.wifi')}</li>
            </ul>
          </>
        ) : (
          <>
            <h1 id="offline-title">{t('offline.stopped.title')}</h1>
            <p>{errorText({ httpStatus: 200, cnMsg: stopped, enMsg: stopped, ...status })}</p>
            {status.until && (
              <p>
                {t('offline.until')} <TimeText at={status.until} />
              </p>
            )}
          </>
        )}
        <p className={styles.note}>{t('offline.rechecks')}</p>
        <Button variant="primary" size="large" busy={checking} onClick={check}>
          {checking ? t('offline.checking') : t('ui.retry')}
        </Button>
        {inMaintenance(status) && hasRoute(CHAT_PATH) && (
          <Button to={CHAT_PATH} size="large">
            {t('offline.chat')}
          </Button>
        )}
      </div>
    </div>
  )
}
