import type { ReactNode } from 'react'
import styles from './empty-state.module.css'
import { Icon } from './icons/icon'
import type { IconName } from './icons/icon-shapes'

export type EmptyStateProps = {
  icon?: IconName
  /** One sentence: why it is empty. */
  text: string
  /** One button: the next step. */
  action?: ReactNode
}

export function EmptyState({ icon = 'empty', text, action }: EmptyStateProps) {
  return (
    <div className={styles.empty}>
      <Icon name={icon} size={28} className={styles.icon} />
      <p>{text}</p>
      {action}
    </div>
  )
}
