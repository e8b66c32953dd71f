import { type ReactNode, useId } from 'react'
import { Num } from '@/ui/num'
import styles from './security.module.css'

export type FormStepProps = {
  /** Counted from 1. */
  number: number
  title: string
  children: ReactNode
}

/** One of the numbered steps of a form that is sent at once. */
export function FormStep({ number, title, children }: FormStepProps) {
  const id = useId()
  return (
    <section className={styles.step} aria-labelledby={id}>
      <h2 id={id}>
        <span className={styles.stepNumber}>
          <Num>{number}</Num>
        </span>
        {title}
      </h2>
      {children}
    </section>
  )
}
