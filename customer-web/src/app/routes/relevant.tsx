import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { reasonOf } from '@/api/reason'
import {
  LEGAL_PAGES,
  type LegalPage,
  useContentPage,
  useLegalPages,
} from '@/features/notice/api/pages'
import styles from '@/features/notice/components/notice.module.css'
import { PageView, RevisionText } from '@/features/notice/components/page-view'
import { Icon } from '@/ui/icons/icon'
import { LEGAL_PATH } from '../nav/notice-paths'
import { ContentBlock } from '../parts/content-block'
import { Page } from '../parts/page'
import { hasRoute } from '../routes'

/** The legal pages, each with its revision, or one of them if the address names it. */
export default function Relevant() {
  const { t } = useTranslation()
  const [search] = useSearchParams()
  const wanted = LEGAL_PAGES.find((key) => key === search.get('page'))
  return (
    <Page title={t('me.menu.legal')}>
      <div className={styles.flow}>{wanted ? <OnePage page={wanted} /> : <List />}</div>
    </Page>
  )
}

function List() {
  const { t } = useTranslation()
  const queries = useLegalPages()
  return (
    <section className={styles.block}>
      <ul className={styles.rows}>
        {LEGAL_PAGES.map((key, index) => {
          const { data, error } = queries[index] ?? {}
          return (
            <li key={key}>
              <Link to={`${LEGAL_PATH}?page=${key}`} className={styles.row}>
                <span className={styles.words}>
                  <b>{t(`legal.page.${key}`)}</b>
                  {data && <RevisionText page={data} />}
                  {error && <span className={styles.facts}>{reasonOf(error).reason}</span>}
                </span>
                <Icon name="forward" />
              </Link>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

function OnePage({ page }: { page: LegalPage }) {
  const { t } = useTranslation()
  const query = useContentPage(page)
  return (
    <ContentBlock query={query} back={{ to: LEGAL_PATH, text: t('legal.all') }}>
      {(data) => <PageView page={data} hasPath={hasRoute} />}
    </ContentBlock>
  )
}
