import { useTranslation } from 'react-i18next'
import { StepBars } from '@/ui/step-bars'
import type { Identity } from '../api/identity'
import { pageName, type Step } from '../model/steps'
import styles from './identity.module.css'

export type IdentityStepsProps = { identity: Identity; steps: readonly Step[]; now: Step }

/** The progress of an application, and its place in words. */
export function IdentitySteps({ identity, steps, now }: IdentityStepsProps) {
  const { t } = useTranslation()
  const current = steps.indexOf(now)
  return (
    <>
      <StepBars
        label={t('identity.step.label')}
        steps={steps.map((step) => t(`identity.step.${pageName(identity, step)}`))}
        now={current}
        done={t('deposit.step.done')}
        folds
      />
      <p className={styles.place}>
        {t('identity.step.place', { step: current + 1, count: steps.length })}
      </p>
    </>
  )
}
