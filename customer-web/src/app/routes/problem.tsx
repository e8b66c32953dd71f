import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type QuestionCategory, useQuestions } from '@/features/notice/api/questions'
import styles from '@/features/notice/components/notice.module.css'
import { QuestionItem } from '@/features/notice/components/question-item'
import { Button } from '@/ui/button'
import { Chip } from '@/ui/chip'
import { EmptyState } from '@/ui/empty-state'
import { SearchField } from '@/ui/search-field'
import { useDebouncedValue } from '@/ui/use-debounced-value'
import { ContentBlock } from '../parts/content-block'
import { Page } from '../parts/page'
import { hasRoute } from '../routes'

const CHAT_PATH = '/kefu'
/** Debounce of the search field. */
const SETTLE_MS = 300
const LONGEST_SEARCH = 100

/** The path to the chat, with the search text or the question that was opened last. */
function chatPath(about: string): string {
  return about === '' ? CHAT_PATH : `${CHAT_PATH}?${new URLSearchParams({ about })}`
}

/** Help: questions and answers with search and categories, and a link to support. */
export default function Problem() {
  const { t } = useTranslation()
  const [search, setSearch] = useState('')
  const [opened, setOpened] = useState('')
  const [category, setCategory] = useState<QuestionCategory>()
  const asked = useDebouncedValue(search.trim(), SETTLE_MS)
  const query = useQuestions(category, asked)
  const categories = query.data?.categories ?? []
  // The count of the previous answer is not announced.
  const found = query.isPlaceholderData ? undefined : query.data?.list.length
  return (
    <Page title={t('me.menu.help')}>
      <div className={styles.flow}>
        <section className={styles.block}>
          <div className={styles.search}>
            <SearchField
              value={search}
              onChange={(text) => setSearch(text.slice(0, LONGEST_SEARCH))}
              label={t('problem.search')}
            />
          </div>
          {categories.length > 1 && (
            <fieldset className={styles.chips}>
              <legend className="visually-hidden">{t('problem.categories')}</legend>
              <Chip edge on={!category} onClick={() => setCategory(undefined)}>
                {t('problem.all')}
              </Chip>
              {categories.map((one) => (
                <Chip key={one} edge on={one === category} onClick={() => setCategory(one)}>
                  {t(`problem.category.${one}`)}
                </Chip>
              ))}
            </fieldset>
          )}
        </section>
        <p role="status" className="visually-hidden">
          {found !== undefined && asked !== '' && t('problem.found', { count: found })}
        </p>
        <ContentBlock query={query}>
          {({ list }) =>
            list.length === 0 ? (
              <EmptyState
                text={asked === '' ? t('problem.empty') : t('problem.none', { text: asked })}
                action={
                  asked === '' ? undefined : (
                    <Button onClick={() => setSearch('')}>{t('problem.clear')}</Button>
                  )
                }
              />
            ) : (
              <ul className={styles.rows} aria-busy={query.isPlaceholderData}>
                {list.map((one) => (
                  <QuestionItem
                    key={one.id}
                    question={one}
                    hasPath={hasRoute}
                    onOpen={() => setOpened(one.title)}
                  />
                ))}
              </ul>
            )
          }
        </ContentBlock>
        {!query.isPending && hasRoute(CHAT_PATH) && (
          <section className={styles.block}>
            <div className={styles.actions}>
              <p>{t('problem.chat.text')}</p>
              <Button to={chatPath(asked || opened)} variant="primary" size="large">
                {t('problem.chat.open')}
              </Button>
            </div>
          </section>
        )}
      </div>
    </Page>
  )
}
