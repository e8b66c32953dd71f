import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useLatestNews } from '@/features/notice/api/news'
import { NewsRow } from '@/features/notice/components/news-row'
import { Icon } from '@/ui/icons/icon'
import { NEWS_PATH } from '../nav/notice-paths'
import { HomeBlockError } from './home-block-error'
import styles from './home-news.module.css'

/** The latest news; renders nothing if there is none. */
export function HomeNews() {
  const { t } = useTranslation()
  const query = useLatestNews()
  if (query.isError && !query.data) return <HomeBlockError query={query} />
  if (!query.data || query.data.list.length === 0) return null
  return (
    <section className={styles.news} aria-label={t('shell.nav.news')}>
      <Link to={NEWS_PATH} className={styles.title}>
        <h2>{t('shell.nav.news')}</h2>
        <Icon name="forward" />
      </Link>
      <ul>
        {query.data.list.map((item) => (
          <NewsRow key={item.id} item={item} to={`${NEWS_PATH}?id=${item.id}`} small />
        ))}
      </ul>
    </section>
  )
}
