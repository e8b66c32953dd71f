import type { ReactNode } from 'react'
import { Icon } from '../icons/icon'
import styles from './text-field.module.css'

export type FieldMessageProps = {
  id: string
  error?: string | undefined
  hint?: ReactNode
}

/** The message below a field: its error, else its hint. */
export function FieldMessage({ id, error, hint }: FieldMessageProps) {
  if (error) {
    return (
      <p id={id} className={styles.error}>
        <Icon name="warn" size={14} />
        <span>{error}</span>
      </p>
    )
  }
  return hint ? (
    <p id={id} className={styles.hint}>
      {hint}
    </p>
  ) : null
}
