import { useTranslation } from 'react-i18next'
import { TimeText } from '@/ui/time-text'
import type { Withdrawal } from '../api/withdrawals'
import { stagesOf } from '../model/states'
import styles from './withdraw.module.css'

export type WithdrawalStagesProps = { withdrawal: Withdrawal }

/** The stages of a withdrawal from top to bottom, each with its label and, if known, its time. */
export function WithdrawalStages({ withdrawal }: WithdrawalStagesProps) {
  const { t } = useTranslation()
  return (
    <ol className={styles.stages} aria-label={t('withdraw.stage.label')}>
      {stagesOf(withdrawal).map(({ text, phase, at }) => (
        <li
          key={text}
          className={styles[phase]}
          aria-current={phase === 'now' ? 'step' : undefined}
        >
          <span>
            {t(text)}
            <span className="visually-hidden">: {t(`deposit.timeline.phase.${phase}`)}</span>
          </span>
          {at !== undefined && (
            <span className={styles.time}>
              <TimeText at={at} />
            </span>
          )}
        </li>
      ))}
    </ol>
  )
}
