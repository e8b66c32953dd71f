import { useTranslation } from 'react-i18next'
import { StepBars } from '@/ui/step-bars'

const steps = ['amount', 'transfer', 'proof'] as const

export type DepositStep = (typeof steps)[number]

export type ProgressStepsProps = { now: DepositStep }

/** The progress of a bank deposit. */
export function ProgressSteps({ now }: ProgressStepsProps) {
  const { t } = useTranslation()
  return (
    <StepBars
      label={t('deposit.step.label')}
      steps={steps.map((step) => t(`deposit.step.${step}`))}
      now={steps.indexOf(now)}
      done={t('deposit.step.done')}
    />
  )
}
