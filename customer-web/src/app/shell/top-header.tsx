import { useTranslation } from 'react-i18next'
import { Link, NavLink } from 'react-router'
import { useLanguage } from '@/i18n/use-language'
import { LOGIN_PATH } from '@/session/login-path'
import { useIsDemo, useIsGuest, useSession } from '@/session/session-store'
import { Button } from '@/ui/button'
import { cx } from '@/ui/cx'
import { IconButton } from '@/ui/icon-button'
import { Icon } from '@/ui/icons/icon'
import { Mark } from '@/ui/icons/mark'
import { desktopNav } from '../nav/nav-items'
import { HOME_PATH, hasRoute } from '../routes'
import { AccountPill } from './account-pill'
import { HeaderSearch } from './header-search'
import { HeaderTools } from './header-tools'
import { ShortcutHelp } from './shortcut-help'
import { ThemeButton } from './theme-button'
import { Ticker } from './ticker'
import styles from './top-header.module.css'

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
      <ShortcutHelp />
      <div className={styles.ticker}>
        <Ticker />
      </div>
      <div className={styles.tools}>
        {loggedIn && <AccountPill />}
        {loggedIn && (
          <Button to={demo ? '/switchAccount' : '/deposite'}>
            {demo ? t('home.quick.top_up') : t('home.quick.deposit')}
          </Button>
        )}
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
        <ThemeButton />
        <Link
          to="/lang"
          className={cx(styles.text, styles.language)}
          aria-label={t('shell.language', { name: language.name })}
        >
          <Icon name="globe" />
          <span aria-hidden>{language.name}</span>
        </Link>
        {!loggedIn && (
          <IconButton to="/preferenceSet" icon="sliders" label={t('preferences.title')} />
        )}
        <HeaderTools />
      </div>
    </header>
  )
}
