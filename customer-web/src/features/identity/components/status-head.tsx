import type { ReactNode } from 'react'
import styles from '@/features/deposit/components/deposit-status.module.css'
import { cx } from '@/ui/cx'
import { Icon } from '@/ui/icons/icon'
import type { IconName } from '@/ui/icons/icon-shapes'

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
