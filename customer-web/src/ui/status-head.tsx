import type { ReactNode } from 'react'
import { cx } from './cx'
import { Icon } from './icons/icon'
import type { IconName } from './icons/icon-shapes'
import styles from './status-head.module.css'

export type StatusHeadProps = {
  tone: 'success' | 'warning' | 'error' | 'info'
  icon: IconName
  title: string
  children?: ReactNode
}

/** The verification status with its icon. */
export function StatusHead({ tone, icon, title, children }: StatusHeadProps) {
  return (
    <div className={styles.head}>
      <span className={cx(styles.icon, styles[tone])}>
        <Icon name={icon} size={22} />
      </span>
      <div>
        <h2>{title}</h2>
        {children && <p className={styles.amount}>{children}</p>}
      </div>
    </div>
  )
}
