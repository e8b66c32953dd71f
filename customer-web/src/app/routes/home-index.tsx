import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useLanguage } from '@/i18n/use-language'
import { Icon } from '@/ui/icons/icon'
import { Logo } from '@/ui/icons/logo'
import { useTitle } from '../use-title'
import styles from './home-index.module.css'

/** The home screen: the name, and the ways to language and preferences. */
export default function HomeIndex() {
  const { t } = useTranslation()
  const language = useLanguage()
  useTitle()
  return (
    <div className={styles.home}>
      <h1>
        <Logo height={36} />
      </h1>
      <ul className={styles.links}>
        <li>
          <Link to="/lang">
            <Icon name="globe" size={20} />
            <span>{t('lang.title')}</span>
            <span className={styles.value}>{language.name}</span>
            <Icon name="forward" />
          </Link>
        </li>
        <li>
          <Link to="/preferenceSet">
            <Icon name="sliders" size={20} />
            <span>{t('preferences.title')}</span>
            <span className={styles.value} />
            <Icon name="forward" />
          </Link>
        </li>
      </ul>
    </div>
  )
}
