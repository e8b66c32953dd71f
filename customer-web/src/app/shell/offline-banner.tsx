import ButtonBase from '@mui/material/ButtonBase'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLive } from '@/live/live'
import { checkPlatform, usePlatformStatus } from '@/live/platform-status'
import { useSession } from '@/session/session-store'
import { Icon } from '@/ui/icons/icon'
import { TimeText } from '@/ui/time-text'
import styles from './offline-banner.module.css'

/** Says above every screen that the network is lost: what is known stays, with its time. */
export function OfflineBanner() {
  const { t } = useTranslation()
  const status = usePlatformStatus()
  const loggedIn = useSession(({ token }) => token !== null)
  const [checking, setChecking] = useState(false)
  if (status.kind !== 'offline' || status.since === 0) return null
  // Read once: a subscription would render every screen's frame with each price, and now nothing arrives.
  const { lastMessageAt: pricesAt } = useLive.getState()

  const check = async () => {
    setChecking(true)
    await checkPlatform()
    setChecking(false)
  }

  return (
    <div className={styles.banner} role="status">
      <Icon name="warn" size={16} />
      <p>
        <b>
          {t('offline.since')} <TimeText at={pricesAt || status.since} shape="timeSeconds" />
        </b>{' '}
        {t('offline.frozen')} {loggedIn && t('offline.stops_work')}
      </p>
      <ButtonBase disabled={checking} onClick={() => void check()}>
        {checking ? t('offline.checking') : t('ui.retry')}
      </ButtonBase>
    </div>
  )
}
