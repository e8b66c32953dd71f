import { useTranslation } from 'react-i18next'
import { useLive } from '@/live/live'
import { usePlatformStatus } from '@/live/platform-status'
import { TimeText } from '@/ui/time-text'
import { useDelayed } from '@/ui/use-delayed'
import styles from './live-banner.module.css'

/** Shorter interruptions are not shown. */
const SILENCE_MS = 1_000

/** A thin banner while no prices arrive; the last prices stay, with their time. */
export function LiveBanner() {
  const { t } = useTranslation()
  const open = useLive(({ socket }) => socket === 'open')
  const offline = usePlatformStatus(({ kind }) => kind === 'offline')
  const lost = useDelayed(!open, SILENCE_MS)
  // Read once: while disconnected nothing arrives.
  const { lastMessageAt } = useLive.getState()
  if (!lost || offline) return null
  return (
    <div className={styles.banner} role="status">
      <span className={styles.spinner} aria-hidden />
      <span>{t('product.reconnecting')}</span>
      {lastMessageAt > 0 && (
        <span>
          {t('product.as_of')} <TimeText at={lastMessageAt} shape="timeSeconds" />
        </span>
      )}
    </div>
  )
}
