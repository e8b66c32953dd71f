import { useTranslation } from 'react-i18next'
import { cx } from '@/ui/cx'
import styles from './notice.module.css'

export type UnreadDotProps = { read: boolean }

/** A dot beside unread items; its space stays when the item is read. */
export function UnreadDot({ read }: UnreadDotProps) {
  const { t } = useTranslation()
  return (
    <span className={cx(styles.dot, read && styles.read)}>
      {!read && <span className="visually-hidden">{t('notice.unread')}</span>}
    </span>
  )
}
