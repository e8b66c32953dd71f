import { useTranslation } from 'react-i18next'
import { Link, Outlet, useLocation } from 'react-router'
import { useSession } from '@/session/session-store'
import { cx } from '@/ui/cx'
import { Icon } from '@/ui/icons/icon'
import { isCurrent, useMenuGroups } from '../parts/my-center-menu'
import styles from './account-frame.module.css'

/** The account pages of a desktop: the menu of the user centre, and the page beside it. */
export default function AccountFrame() {
  const { t } = useTranslation()
  const { pathname } = useLocation()
  const user = useSession((session) => session.user)
  return (
    <div className={styles.frame}>
      <nav className={styles.menu} aria-label={t('me.menu.label')}>
        {useMenuGroups(user).map((group) => (
          <ul key={group[0]?.path}>
            {group.map((item) => {
              const current = isCurrent(item, pathname)
              return (
                <li key={item.path}>
                  <Link
                    to={item.to}
                    className={cx(styles.line, current && styles.on)}
                    aria-current={current && 'page'}
                  >
                    <Icon name={item.icon} />
                    {t(item.text)}
                  </Link>
                </li>
              )
            })}
          </ul>
        ))}
      </nav>
      <main className={styles.page}>
        <Outlet />
      </main>
    </div>
  )
}
