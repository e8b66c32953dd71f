import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { cx } from '@/ui/cx'
import styles from './chat.module.css'

export type BubbleProps = {
  /** The user, or the named agent. */
  by: 'self' | { name: string }
  /** Whether the name is visible; screen readers always hear it. */
  named?: boolean
  children: ReactNode
  /** Time and delivery status. */
  foot: ReactNode
}

/** One message: the user's own at the end of the line, all others at the start. */
export function Bubble({ by, named = false, children, foot }: BubbleProps) {
  const { t } = useTranslation()
  const own = by === 'self'
  return (
    <article className={cx(styles.bubble, own && styles.own)}>
      <span className={cx(styles.name, (own || !named) && 'visually-hidden')}>
        {own ? t('kefu.you') : by.name}
      </span>
      {children}
      <span className={styles.bubbleFoot}>{foot}</span>
    </article>
  )
}
