import i18next from 'i18next'
import { useTranslation } from 'react-i18next'
import styles from './chat.module.css'

export type QuestionsProps = {
  /** Keys of texts. */
  questions: readonly string[]
  onAsk: (text: string) => void
}

/** What stands where nothing was said yet: what one may ask, and what nobody ever asks back. */
export function Questions({ questions, onAsk }: QuestionsProps) {
  const { t } = useTranslation()
  // The server names the keys, so the types cannot know them.
  const known = questions.filter((key) => i18next.exists(key)) as 'kefu.question.deposit'[]
  return (
    <div className={styles.questions}>
      <h2>{t('kefu.greeting')}</h2>
      <p>{t('kefu.about')}</p>
      <p>{t('kefu.safety')}</p>
      {known.length > 0 && (
        <ul aria-label={t('kefu.questions')}>
          {known.map((key) => (
            <li key={key}>
              <button type="button" className={styles.question} onClick={() => onAsk(t(key))}>
                {t(key)}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
