import type { ReactNode } from 'react'
import { cx } from './cx'
import { Icon } from './icons/icon'
import styles from './note.module.css'

export type NoteProps = {
  tone?: 'neutral' | 'warning' | 'success' | 'error'
  children: ReactNode
}

const icons = { neutral: 'info', warning: 'warn', success: 'check', error: 'warn' } as const

/** A sentence that must be read before continuing, next to its subject. */
export function Note({ tone = 'neutral', children }: NoteProps) {
  return (
    <div className={cx(styles.note, styles[tone])} role={tone === 'error' ? 'alert' : undefined}>
      <Icon name={icons[tone]} className={styles.icon} />
      <div>{children}</div>
    </div>
  )
}
