import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, NavLink } from 'react-router'
import { useLanguage } from '@/i18n/use-language'
import { LOGIN_PATH } from '@/session/login-path'
import { useIsDemo, useIsGuest, useSession } from '@/session/session-store'
import { cx } from '@/ui/cx'
import { IconButton } from '@/ui/icon-button'
import { Icon } from '@/ui/icons/icon'
import { Mark } from '@/ui/icons/mark'
import { Tag } from '@/ui/tag'
import { HOME_PATH, hasRoute } from '../routes'
import { HeaderSearch } from './header-search'
import { desktopNav } from './nav-items'
import { ThemeButton } from './theme-button'
import styles from './top-header.module.css'

const HeaderTools = lazy(() => import('./header-tools'))
const Ticker = lazy(() => import('./ticker'))

/** The desktop header: logo, main navigation, notice, language, theme and account. */
export function TopHeader() {
  const { t } = useTranslation()
  const language = useLanguage()
  const demo = useIsDemo()
  const loggedIn = useSession(({ token }) => token !== null)
  const guest = useIsGuest()
  return (
    <header className={cx(styles.header, demo && styles.demo)}>
      <Link to={HOME_PATH} className={styles.brand}>
        <Mark size={26} />
        Candor
      </Link>
      <nav className={styles.nav} aria-label={t('shell.nav.label')}>
        {desktopNav().map(({ path, text }) => (
          <NavLink
            key={path}
            to={path}
            className={({ isActive }) => cx(styles.link, isActive && styles.on)}
          >
            {t(text)}
          </NavLink>
        ))}
      </nav>
      <HeaderSearch />
      <div className={styles.ticker}>
        <Suspense>
          <Ticker />
        </Suspense>
      </div>
      <div className={styles.tools}>
        {demo && <Tag tone="demo">{t('shell.demo.tag')}</Tag>}
        {!loggedIn && hasRoute(LOGIN_PATH) && (
          <Link to={LOGIN_PATH} className={styles.text}>
            {t('shell.log_in')}
          </Link>
        )}
        {(!loggedIn || guest) && hasRoute('/register') && (
          <Link to="/register" className={cx(styles.text, styles.edge)}>
            {t('shell.sign_up')}
          </Link>
        )}
        <Link
          to="/lang"
          className={styles.text}
          aria-label={t('shell.language', { name: language.name })}
        >
          <Icon name="globe" />
          <span aria-hidden>{language.name}</span>
        </Link>
        <ThemeButton />
        <IconButton to="/preferenceSet" icon="sliders" label={t('preferences.title')} />
        <Suspense>
          <HeaderTools />
        </Suspense>
      </div>
    </header>
  )
}
