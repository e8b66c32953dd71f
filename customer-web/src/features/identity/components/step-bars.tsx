import { useTranslation } from 'react-i18next'
import { cx } from '@/ui/cx'
import type { Identity } from '../api/identity'
import { pageName, type Step } from '../model/steps'
import styles from './identity.module.css'

export type StepBarsProps = { identity: Identity; steps: readonly Step[]; now: Step }

/** The progress bars: one per step, labelled if there is room. */
export function StepBars({ identity, steps, now }: StepBarsProps) {
  const { t } = useTranslation()
  const current = steps.indexOf(now)
  return (
    <>
      <ol className={styles.steps} aria-label={t('identity.step.label')}>
        {steps.map((step, index) => (
          <li
            key={step}
            className={cx(index < current && styles.done, index === current && styles.now)}
            aria-current={index === current ? 'step' : undefined}
          >
            {t(`identity.step.${pageName(identity, step)}`)}
          </li>
        ))}
      </ol>
      <p className={styles.place}>
        {t('identity.step.place', { step: current + 1, count: steps.length })}
      </p>
    </>
  )
}
