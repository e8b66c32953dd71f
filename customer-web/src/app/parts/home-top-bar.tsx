import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useSession } from '@/session/session-store'
import { IconButton } from '@/ui/icon-button'
import { Icon } from '@/ui/icons/icon'
import { Mark } from '@/ui/icons/mark'
import { hasRoute } from '../routes'
import styles from './home-top-bar.module.css'
import { NoticeBell } from './notice-bell'

/** The phone's top bar on the home screen: logo, search and notices. */
export function HomeTopBar() {
  const { t } = useTranslation()
  const loggedIn = useSession(({ token }) => token !== null)
  // Logged-in traders find language and preferences on the page "Me".
  const hasMe = loggedIn && hasRoute('/myCenter')
  return (
    <div className={styles.bar}>
      <h1>
        <Mark size={28} label="Candor" />
      </h1>
      <Link to="/search" className={styles.search}>
        <Icon name="search" />
        <span>{t('home.search')}</span>
      </Link>
      {!hasMe && (
        <>
          <IconButton to="/lang" icon="globe" size={22} strong label={t('lang.title')} />
          <IconButton
            to="/preferenceSet"
            icon="sliders"
            size={22}
            strong
            label={t('preferences.title')}
          />
        </>
      )}
      {loggedIn && <NoticeBell />}
    </div>
  )
}
