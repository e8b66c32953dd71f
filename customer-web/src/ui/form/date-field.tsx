import { lazy, type ReactNode, type Ref, Suspense } from 'react'
import { Skeleton } from '../skeleton'
import styles from './date-field.module.css'

export type DateFieldProps = {
  label: string
  /** As `yyyy-mm-dd`; empty while there is none or it is incomplete. */
  value: string
  onChange: (day: string) => void
  onBlur?: () => void
  name?: string
  /** The first and last allowed day. */
  min?: string
  max?: string
  /** The error, already translated. */
  error?: string | undefined
  describedBy?: string | undefined
  disabled?: boolean
  inputRef?: Ref<HTMLInputElement> | undefined
}

const DatePicker = lazy(() => import('./date-picker'))

/** A day, typed in the order of the region or picked from a calendar, which is loaded when first shown. */
export function DateField(props: DateFieldProps) {
  return (
    <DateFallback label={props.label}>
      <DatePicker {...props} />
    </DateFallback>
  )
}

/** Keeps the room of a picker while it is loaded. */
export function DateFallback({ label, children }: { label: string; children: ReactNode }) {
  const waiting = (
    <div className={styles.waiting}>
      <span className={styles.label}>{label}</span>
      <div className={styles.frame}>
        <Skeleton height="100%" />
      </div>
    </div>
  )
  return <Suspense fallback={waiting}>{children}</Suspense>
}
