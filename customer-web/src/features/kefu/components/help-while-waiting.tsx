import { useTranslation } from 'react-i18next'
import { useQuestions } from '@/features/notice/api/questions'
import { QuestionItem } from '@/features/notice/components/question-item'
import { rankQuestions } from '../model/rank-questions'
import styles from './chat.module.css'

export type HelpWhileWaitingProps = {
  /** What the trader wrote last. */
  text: string
  /** Reports whether a path is a screen of the app. */
  hasPath: (path: string) => boolean
}

const SHOWN = 3

/** Answers of the help pages that fit the trader's message, until an agent takes over. */
export function HelpWhileWaiting({ text, hasPath }: HelpWhileWaitingProps) {
  const { t } = useTranslation()
  const { data } = useQuestions(undefined, '')
  const fitting = rankQuestions(data?.list ?? [], text, SHOWN)
  if (fitting.length === 0) return null
  return (
    <section className={styles.help} aria-label={t('kefu.help')}>
      <h2>{t('kefu.help')}</h2>
      <ul>
        {fitting.map((question) => (
          <QuestionItem key={question.id} question={question} hasPath={hasPath} onOpen={() => {}} />
        ))}
      </ul>
    </section>
  )
}
