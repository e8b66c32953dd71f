import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Icon } from '@/ui/icons/icon'
import styles from './home-prices.module.css'

export type AllQuotesLinkProps = { group?: string }

/** Links a short price list to the page with all quotes. */
export function AllQuotesLink({ group }: AllQuotesLinkProps) {
  const { t } = useTranslation()
  return (
    <Link to={group ? `/quotes?tab=${group}` : '/quotes'} className={styles.all}>
      {t('home.all')}
      <Icon name="forward" size={14} />
    </Link>
  )
}
