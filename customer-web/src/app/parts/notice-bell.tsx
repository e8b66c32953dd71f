import { useTranslation } from 'react-i18next'
import { useUnread } from '@/features/notice/api/unread'
import { useDesktop } from '@/theme/use-media'
import { IconButton } from '@/ui/icon-button'
import { badgeText } from '../nav/nav-badges'
import styles from './notice-bell.module.css'

/** Links to notices and messages, with the number of unread ones. */
export function NoticeBell() {
  const { t } = useTranslation()
  const desktop = useDesktop()
  const { total } = useUnread()
  return (
    <span className={styles.bell}>
      <IconButton
        to="/notice"
        icon="bell"
        size={desktop ? 16 : 22}
        strong={!desktop}
        label={total > 0 ? t('home.unread', { count: total }) : t('home.notices')}
      />
      {total > 0 && (
        <span className={styles.badge} aria-hidden>
          {badgeText(total)}
        </span>
      )}
    </span>
  )
}
