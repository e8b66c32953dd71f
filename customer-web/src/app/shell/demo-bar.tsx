import { useTranslation } from 'react-i18next'
import { useIsDemo } from '@/session/session-store'
import styles from './demo-bar.module.css'

/** The phone's amber bar, always visible while the account trades with demo money. */
export function DemoBar() {
  const { t } = useTranslation()
  if (!useIsDemo()) return null
  return (
    <div className={styles.bar}>
      <b>{t('shell.demo.tag')}</b>
      <span>{t('shell.demo.note')}</span>
    </div>
  )
}
