import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { useProduct } from '@/features/market/api/products'
import { type NewsCategory, useNews } from '@/features/notice/api/news'
import type { Article } from '@/features/notice/api/notices'
import { reportSeen } from '@/features/notice/api/reach'
import { ArticleView } from '@/features/notice/components/article-view'
import { ContinueLink } from '@/features/notice/components/continue-link'
import { NewsList } from '@/features/notice/components/news-list'
import styles from '@/features/notice/components/notice.module.css'
import { productIn } from '@/features/notice/model/target'
import { languages } from '@/i18n/languages'
import { Button } from '@/ui/button'
import { FilterSelect, Filters } from '@/ui/filters'
import { idIn, NEWS_PATH } from '../nav/notice-paths'
import { useTradeLink } from '../nav/trade-link'
import { ContentBlock } from '../parts/content-block'
import { Page } from '../parts/page'
import { hasRoute } from '../routes'

/** The news in all languages or one, or one article if the address names it. */
export default function News() {
  const { t } = useTranslation()
  const [search] = useSearchParams()
  const id = idIn(search)
  return (
    <Page title={t('shell.nav.news')}>
      <div className={styles.flow}>{id === null ? <List /> : <OneNews key={id} id={id} />}</div>
    </Page>
  )
}

function List() {
  const { t } = useTranslation()
  const [search, setSearch] = useSearchParams()
  const locale = languages.find(({ code }) => code === search.get('language'))?.code
  const show = (code: string | undefined) =>
    setSearch(code ? { language: code } : {}, { replace: true })
  return (
    <section className={styles.block}>
      <div className={styles.narrowed}>
        <Filters>
          <FilterSelect
            label={t('news.language')}
            all={t('news.all_languages')}
            value={locale}
            options={languages.map(({ code, name }) => ({ value: code, text: name }))}
            onPick={show}
          />
        </Filters>
      </div>
      <NewsList
        locale={locale}
        pathOf={(id) => `${NEWS_PATH}?id=${id}`}
        action={
          locale ? (
            <Button onClick={() => show(undefined)}>{t('news.all_languages')}</Button>
          ) : (
            <Button to="/quotes">{t('home.all')}</Button>
          )
        }
      />
    </section>
  )
}

function OneNews({ id }: { id: number }) {
  const { t } = useTranslation()
  const query = useNews(id)

  useEffect(() => {
    if (query.data) reportSeen(id)
  }, [id, query.data])

  return (
    <ContentBlock query={query} back={{ to: NEWS_PATH, text: t('news.all') }}>
      {(article) => (
        <ArticleView
          article={article}
          category={t(`news.category.${article.category as NewsCategory}`)}
          hasPath={hasRoute}
        >
          <Related article={article} />
        </ArticleView>
      )}
    </ContentBlock>
  )
}

/** Links to the product on this device's trade screen, else to the article's link. */
function Related({ article: { id, link } }: { article: Article }) {
  const { t } = useTranslation()
  const product = useProduct(productIn(link) ?? 0)
  const path = useTradeLink()(product?.productId ?? 0)
  if (product && path)
    return (
      <ContinueLink
        id={id}
        link={path}
        hasPath={hasRoute}
        text={t('news.trade', { product: product.productNo })}
      />
    )
  return <ContinueLink id={id} link={link} hasPath={hasRoute} />
}
