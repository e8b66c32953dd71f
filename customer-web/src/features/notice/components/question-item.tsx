import { useTranslation } from 'react-i18next'
import { reasonOf } from '@/api/reason'
import { Chip } from '@/ui/chip'
import { Disclosure } from '@/ui/disclosure'
import { type Question, useQuestionFeedback } from '../api/questions'
import { reportSeen } from '../api/reach'
import { languageAttributes } from '../model/language-attributes'
import { Html } from './html'
import styles from './notice.module.css'

export type QuestionItemProps = {
  question: Question
  /** Reports whether a path is a screen of the app. */
  hasPath: (path: string) => boolean
  onOpen: () => void
}

/** A question that expands to its answer and asks whether it helped. */
export function QuestionItem({ question, hasPath, onOpen }: QuestionItemProps) {
  const { id, title, body, locale } = question
  const language = languageAttributes(locale)
  return (
    <li>
      <Disclosure
        className={styles.row}
        panelClassName={styles.panel}
        onToggle={(open) => {
          if (!open) return
          reportSeen(id)
          onOpen()
        }}
        head={
          <span className={styles.words}>
            <b>
              <bdi {...language}>{title}</bdi>
            </b>
          </span>
        }
      >
        <div {...language}>
          <Html text={body} hasPath={hasPath} />
        </div>
        <Helped id={id} />
      </Disclosure>
    </li>
  )
}

/** Asks whether the answer helped; a second choice replaces the first. */
function Helped({ id }: { id: number }) {
  const { t } = useTranslation()
  const { mutate, data, variables, isPending, error } = useQuestionFeedback(id)
  const said = data === undefined ? undefined : variables
  return (
    <div className={styles.helped} role="group" aria-label={t('problem.helpful')}>
      <span>{t('problem.helpful')}</span>
      <Chip edge on={said === true} disabled={isPending} onClick={() => mutate(true)}>
        {t('problem.yes')}
      </Chip>
      <Chip edge on={said === false} disabled={isPending} onClick={() => mutate(false)}>
        {t('problem.no')}
      </Chip>
      <span role="status">
        {said !== undefined && t('problem.thanks')}
        {error && reasonOf(error).reason}
      </span>
    </div>
  )
}
