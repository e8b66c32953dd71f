import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { cx } from '@/ui/cx'
import { Icon } from '@/ui/icons/icon'
import { badgeText, useNavBadges } from '../nav/nav-badges'
import { phoneNav, sectionOf, TRADE_PATH } from '../nav/nav-items'
import { useTradePath } from '../nav/trade-link'
import styles from './bottom-nav.module.css'

/** The main navigation of a phone, as a bar, and of a tablet, as a rail: Home, Quotes, Trade, Orders, Me. */
export function BottomNav() {
  const { t } = useTranslation()
  const badges = useNavBadges()
  const tradePath = useTradePath()
  const section = sectionOf(useLocation().pathname)
  return (
    <nav className={styles.bar} aria-label={t('shell.nav.label')}>
      {phoneNav().map(({ path, text, icon }) => {
        const count = badges[path] ?? 0
        return (
          <Link
            key={path}
            to={path === TRADE_PATH ? (tradePath ?? path) : path}
            aria-current={path === section ? 'page' : undefined}
            className={cx(styles.item, path === section && styles.on)}
          >
            <Icon name={icon} size={22} />
            <span>{t(text)}</span>
            {count > 0 && <span className={styles.badge}>{badgeText(count)}</span>}
          </Link>
        )
      })}
    </nav>
  )
}
