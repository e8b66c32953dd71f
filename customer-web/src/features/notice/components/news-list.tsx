import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { GrowingList } from '@/features/list/components/growing-list'
import { NumberedList } from '@/features/list/components/numbered-list'
import type { LanguageCode } from '@/i18n/languages'
import { useDesktop } from '@/theme/use-media'
import { EmptyState } from '@/ui/empty-state'
import { pageInQuery } from '@/ui/pagination-pages'
import { type NewsItem, useNewsList, useNewsPage } from '../api/news'
import { NewsRow } from './news-row'
import styles from './notice.module.css'

export type NewsListProps = {
  /** Limits the list to this language; all languages if undefined. */
  locale: LanguageCode | undefined
  pathOf: (newsId: number) => string
  /** The button of the empty state. */
  action: ReactNode
}
type Shown = {
  locale: LanguageCode | undefined
  row: (one: NewsItem) => ReactNode
  empty: ReactNode
  reassurance: string
}

/** The news: numbered pages on a desktop, "show more" on a phone. */
export function NewsList({ locale, pathOf, action }: NewsListProps) {
  const { t } = useTranslation()
  const desktop = useDesktop()
  const shown: Shown = {
    locale,
    row: (one) => <NewsRow key={one.id} item={one} to={pathOf(one.id)} />,
    empty: (
      <EmptyState
        icon="news"
        text={t(locale ? 'news.none_in_language' : 'news.empty')}
        action={action}
      />
    ),
    reassurance: t('notice.reassurance'),
  }
  return desktop ? <Pages key={locale} {...shown} /> : <More key={locale} {...shown} />
}

function Pages({ locale, ...shown }: Shown) {
  const [search] = useSearchParams()
  const query = useNewsPage(pageInQuery(search), locale)
  return <NumberedList query={query} className={styles.rows} {...shown} />
}

function More({ locale, ...shown }: Shown) {
  const query = useNewsList(locale)
  return <GrowingList query={query} idOf={(one) => one.id} className={styles.rows} {...shown} />
}
