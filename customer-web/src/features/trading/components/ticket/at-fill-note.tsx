import { useTranslation } from 'react-i18next'
import { useNetting } from '@/session/info-query'
import styles from './order-ticket.module.css'

/**
 * Explains that a pending order is netted with the position open when it fills; renders nothing in a hedging
 * account.
 */
export function AtFillNote() {
  const { t } = useTranslation()
  if (!useNetting()) return null
  return <p className={styles.note}>{t('margin.effect.at_fill')}</p>
}
