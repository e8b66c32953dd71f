import { useTranslation } from 'react-i18next'
import { CLIENT_VERSION } from '@/constants'
import { useContentPage } from '@/features/notice/api/pages'
import styles from '@/features/notice/components/notice.module.css'
import { PageView } from '@/features/notice/components/page-view'
import { Num } from '@/ui/num'
import { ContentBlock } from '../parts/content-block'
import { Page } from '../parts/page'
import { hasRoute } from '../routes'

/** About Candor: what it is, the app version, and links to the terms. */
export default function AboutUs() {
  const { t } = useTranslation()
  const query = useContentPage('about')
  return (
    <Page title={t('about.title')}>
      <div className={styles.flow}>
        <ContentBlock query={query}>
          {(page) => <PageView page={page} hasPath={hasRoute} />}
        </ContentBlock>
        {!query.isPending && (
          <section className={styles.block}>
            <dl className={styles.facing}>
              <dt>{t('about.version')}</dt>
              <dd>
                <Num>{CLIENT_VERSION}</Num>
              </dd>
            </dl>
          </section>
        )}
      </div>
    </Page>
  )
}
