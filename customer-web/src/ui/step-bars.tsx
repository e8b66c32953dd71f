import Step from '@mui/material/Step'
import StepLabel from '@mui/material/StepLabel'
import Stepper from '@mui/material/Stepper'
import { cx } from './cx'
import { Icon } from './icons/icon'
import styles from './step-bars.module.css'

export type StepBarsProps = {
  /** The accessible name of the list. */
  label: string
  steps: readonly string[]
  /** The index of the step to do. */
  now: number
  /** What is read aloud for a completed step. */
  done: string
  /** Below 1024 px there are too many steps for their labels. */
  folds?: boolean
}

/** Without an icon of its own a step has its number. */
const NO_ICON = <></>

/** The progress through a few steps: a labelled bar each, with a tick on completed ones. */
export function StepBars({ label, steps, now, done, folds = false }: StepBarsProps) {
  return (
    <Stepper
      activeStep={now}
      connector={null}
      aria-label={label}
      className={cx(styles.bars, folds && styles.folds)}
    >
      {steps.map((text, index) => (
        <Step
          key={text}
          className={cx(styles.bar, index <= now && styles.reached)}
          aria-current={index === now ? 'step' : undefined}
        >
          <StepLabel icon={index < now ? <Icon name="check" size={14} label={done} /> : NO_ICON}>
            {text}
          </StepLabel>
        </Step>
      ))}
    </Stepper>
  )
}
