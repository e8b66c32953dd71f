import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { useSession } from '@/session/session-store'
import { cx } from '@/ui/cx'
import { Icon } from '@/ui/icons/icon'
import { isCurrent, useMenuGroups } from '../nav/my-center-menu'
import styles from './account-shell.module.css'

/** The menu of the user centre, beside the account pages of a desktop. */
export default function SideMenu() {
  const { t } = useTranslation()
  const { pathname } = useLocation()
  const user = useSession((session) => session.user)
  return (
    <nav aria-label={t('me.menu.label')}>
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
  )
}
