import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { OVERLAY_DELAY_MS, OVERLAY_LINGER_MS } from '@/constants'
import { Mark } from '@/ui/icons/mark'
import styles from './loading-overlay.module.css'

export type LoadingOverlayProps = {
  /** Something is loading. The overlay appears after 50 ms and disappears 220 ms after loading ends. */
  active: boolean
}

/** Covers the page while the next one loads. */
export function LoadingOverlay({ active }: LoadingOverlayProps) {
  const { t } = useTranslation()
  const [shown, setShown] = useState(false)

  useEffect(() => {
    const timer = setTimeout(() => setShown(active), active ? OVERLAY_DELAY_MS : OVERLAY_LINGER_MS)
    return () => clearTimeout(timer)
  }, [active])

  if (!shown) return null
  return (
    <div className={styles.overlay} role="status" aria-label={t('shell.loading')}>
      <Mark size={40} className={styles.mark} />
    </div>
  )
}
