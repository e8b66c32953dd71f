import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { useReadMessages } from '@/features/notice/api/messages'
import { type NoticeCategory, useNotice, useReadNotices } from '@/features/notice/api/notices'
import { reportSeen } from '@/features/notice/api/reach'
import { useUnread } from '@/features/notice/api/unread'
import { ArticleView } from '@/features/notice/components/article-view'
import { ContinueLink } from '@/features/notice/components/continue-link'
import { MessageList } from '@/features/notice/components/message-list'
import styles from '@/features/notice/components/notice.module.css'
import { NoticeList } from '@/features/notice/components/notice-list'
import { SEVERITY_TONES } from '@/features/notice/model/severity'
import { openReceipt } from '@/features/receipt/model/open-receipt'
import { useSession } from '@/session/session-store'
import { Button } from '@/ui/button'
import { TabGroup } from '@/ui/tab-group'
import { idIn, NOTICE_PATH } from '../nav/notice-paths'
import { ContentBlock } from '../parts/content-block'
import { Page } from '../parts/page'
import { hasRoute } from '../routes'

const TABS = ['notices', 'messages'] as const

/** Notices to everyone and messages to this trader, or one notice if the address names it. */
export default function Notice() {
  const { t } = useTranslation()
  const [search] = useSearchParams()
  const id = idIn(search)
  return (
    <Page title={t('me.menu.notices')}>
      <div className={styles.flow}>{id === null ? <Lists /> : <OneNotice key={id} id={id} />}</div>
    </Page>
  )
}

function Lists() {
  const { t } = useTranslation()
  const [search, setSearch] = useSearchParams()
  const loggedIn = useSession(({ token }) => token !== null)
  const unread = useUnread()
  const notices = useReadNotices()
  const messages = useReadMessages()
  const tab = loggedIn && search.get('tab') === 'messages' ? 'messages' : 'notices'
  const reading = tab === 'messages' ? messages : notices
  return (
    <section className={styles.block}>
      {loggedIn && (
        <div className={styles.bar}>
          <TabGroup
            type="line"
            label={t('me.menu.notices')}
            active={TABS.indexOf(tab)}
            onChange={(index) => setSearch({ tab: TABS[index] ?? 'notices' }, { replace: true })}
            list={TABS.map((one) => ({ title: t(`notice.tab.${one}`), count: unread[one] }))}
          />
          {unread[tab] > 0 && (
            <Button
              variant="text"
              busy={reading.isPending}
              onClick={() => reading.mutate(undefined)}
            >
              {t('notice.read_all')}
            </Button>
          )}
        </div>
      )}
      {tab === 'messages' ? (
        <MessageList
          hasPath={hasRoute}
          onFill={openReceipt}
          action={<Button to="/preferenceSet">{t('notifications.title')}</Button>}
        />
      ) : (
        <NoticeList
          pathOf={(id) => `${NOTICE_PATH}?id=${id}`}
          action={<Button to="/quotes">{t('home.all')}</Button>}
        />
      )}
    </section>
  )
}

function OneNotice({ id }: { id: number }) {
  const { t } = useTranslation()
  const query = useNotice(id)
  const { mutate } = useReadNotices()
  const unread = query.data?.read === false

  useEffect(() => {
    if (query.data) reportSeen(id)
  }, [id, query.data])
  useEffect(() => {
    if (unread) mutate(id)
  }, [id, unread, mutate])

  return (
    <ContentBlock query={query} back={{ to: NOTICE_PATH, text: t('notice.all') }}>
      {(article) => (
        <ArticleView
          article={article}
          category={t(`notice.category.${article.category as NoticeCategory}`)}
          tone={SEVERITY_TONES[article.severity]}
          hasPath={hasRoute}
        >
          <ContinueLink id={id} link={article.link} hasPath={hasRoute} />
        </ArticleView>
      )}
    </ContentBlock>
  )
}
