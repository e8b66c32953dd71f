import ButtonBase from '@mui/material/ButtonBase'
import i18next from 'i18next'
import { useTranslation } from 'react-i18next'
import styles from './chat.module.css'

export type QuestionsProps = {
  /** Text keys. */
  questions: readonly string[]
  onAsk: (text: string) => void
}

/** Shown before the first message: common questions, and what agents never ask for. */
export function Questions({ questions, onAsk }: QuestionsProps) {
  const { t } = useTranslation()
  // The keys come from the server, so the types can't know them.
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
              <ButtonBase className={styles.question} onClick={() => onAsk(t(key))}>
                {t(key)}
              </ButtonBase>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
