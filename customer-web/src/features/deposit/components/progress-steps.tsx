import { useTranslation } from 'react-i18next'
import { cx } from '@/ui/cx'
import { Icon } from '@/ui/icons/icon'
import styles from './progress-steps.module.css'

const steps = ['amount', 'transfer', 'proof'] as const

export type DepositStep = (typeof steps)[number]

export type ProgressStepsProps = { now: DepositStep }

/** The progress stepper: three labelled bars with a tick on completed ones. */
export function ProgressSteps({ now }: ProgressStepsProps) {
  const { t } = useTranslation()
  const current = steps.indexOf(now)
  return (
    <ol className={styles.steps} aria-label={t('deposit.step.label')}>
      {steps.map((step, index) => {
        const done = index < current
        return (
          <li
            key={step}
            className={cx(done && styles.done, index === current && styles.now)}
            aria-current={index === current ? 'step' : undefined}
          >
            {done && <Icon name="check" size={14} label={t('deposit.step.done')} />}
            {t(`deposit.step.${step}`)}
          </li>
        )
      })}
    </ol>
  )
}
