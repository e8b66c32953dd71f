import type { FormEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import styles from '@/ui/block.module.css'
import { Button } from '@/ui/button'
import { FailureNote } from '@/ui/failure-note'

export type StepFormProps = {
  title: string
  text?: string
  children: ReactNode
  /** The reason the step was not saved. */
  failure: unknown
  /** Shown above the button, such as a progress bar. */
  above?: ReactNode
  action: string
  quiet?: boolean
  disabled?: boolean
  busy: boolean
  onSubmit: () => void
}

/** One step with its fields and the button that saves and continues. */
export function StepForm({
  title,
  text,
  children,
  failure,
  above,
  action,
  quiet = false,
  disabled = false,
  busy,
  onSubmit,
}: StepFormProps) {
  const { t } = useTranslation()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!busy && !disabled) onSubmit()
  }
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <section className={styles.block}>
        <h2>{title}</h2>
        {text && <p className={styles.text}>{text}</p>}
        {children}
        {failure ? <FailureNote error={failure} /> : null}
      </section>
      <div className={styles.actions}>
        {above}
        <Button
          type="submit"
          variant={quiet ? 'plain' : 'primary'}
          size="large"
          block
          disabled={disabled}
          busy={busy}
        >
          {busy && !above ? t('identity.saving') : action}
        </Button>
      </div>
    </form>
  )
}
