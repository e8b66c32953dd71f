import type { ReactNode } from 'react'
import { cx } from './cx'
import styles from './tag.module.css'

export type TagProps = {
  /** Colours have meaning: direction, an outcome, the demo account. */
  tone?: 'neutral' | 'up' | 'down' | 'success' | 'warning' | 'error' | 'info' | 'accent' | 'demo'
  children: ReactNode
}

/** A word on a soft tint; not a button. */
export function Tag({ tone = 'neutral', children }: TagProps) {
  return <span className={cx(styles.tag, styles[tone])}>{children}</span>
}
